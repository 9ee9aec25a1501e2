/** Keeps what arrived of a paid answer that broke off, under a name that says so. */
import { Failure } from '../../contract/base/failure.ts';
import { say } from '../../contract/base/wording.ts';
import { fileTarget } from '../../runtime/files/outputs/target.ts';
import { placeResult, type ResultPlacement } from '../../runtime/rows/place-result.ts';

/** Most numbered names tried for one output. */
const MOST = 100;

/** The failure; its hint names the file where something was kept. */
export async function keepRemains(failure: Failure, placement: ResultPlacement): Promise<Failure> {
  const { remains } = failure;
  const { to } = placement;
  if (remains === undefined || to.kind !== 'file') return failure;
  for (let number = 1; number <= MOST; number++) {
    const name = `${to.name}.incomplete${number === 1 ? '' : `-${number}`}`;
    try {
      const beside = { ...placement, to: fileTarget(name, false, []), parts: 'single', hash: false } as const;
      const placed = await placeResult({ kind: 'bytes', mediaType: '', body: remains }, beside);
      const where = `What came of it is kept in ${placed?.path ?? name}.`;
      return failure.with({ hint: failure.hint === undefined ? where : say`${failure.hint} ${where}`, cause: failure });
    } catch (error) {
      // A full disk must not hide why the answer is incomplete.
      if (!(error instanceof Failure) || error.code !== 'output_exists') return failure;
    }
  }
  return failure;
}
