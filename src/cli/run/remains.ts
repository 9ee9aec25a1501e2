/** What came of a paid answer that is not whole is kept, under a name that says so. */
import { Failure } from '../../contract/failure.ts';
import { fileTarget } from '../../runtime/files/target.ts';
import type { Workspace } from '../../runtime/folders/workspace.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import { deliver } from './deliver.ts';
import type { Destination } from './destination.ts';

/** More than anybody keeps of one output. */
const MOST = 100;

/** The failure, with the name of the file in its hint where something was kept. */
export async function keepRemains(
  failure: Failure,
  destination: Destination,
  around: { readonly workspace: Workspace; readonly streams: Streams; readonly signal: AbortSignal },
): Promise<Failure> {
  const { remains } = failure;
  if (remains === undefined || destination.kind !== 'file') return failure;
  for (let number = 1; number <= MOST; number++) {
    const name = `${destination.name}.incomplete${number === 1 ? '' : `-${number}`}`;
    try {
      const result = { kind: 'bytes', mediaType: '', body: remains } as const;
      const { path } =
        (await deliver(result, fileTarget(name, false, []), { ...around, hash: false, single: false })) ?? {};
      const { code, message, charged, kind, status, meta, hint = '' } = failure;
      const kept = `${hint} What came of it is kept in ${path}.`.trim();
      return new Failure(code, message, { charged, kind, status, meta, hint: kept, cause: failure });
    } catch (error) {
      // A full disk must not hide why there is no whole answer.
      if (!(error instanceof Failure) || error.code !== 'output_exists') return failure;
    }
  }
  return failure;
}
