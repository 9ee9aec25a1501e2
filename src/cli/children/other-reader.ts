// Both ends of asking other readers about a file: the hidden command in which they run, and what starts it.
import { Failure } from '../../contract/failure.ts';
import type { Clock, Context, OtherCount } from '../../contract/ports.ts';
import type { RunOwn } from '../commands/call.ts';

/** For a Context: starts this program again as `__read` for each question. Nothing of it is loaded before. */
export function otherReaders(
  clock: Clock,
  signal: AbortSignal,
): Required<Pick<Context, 'countElsewhere' | 'rewriteElsewhere'>> {
  const parts = async () => {
    const [{ readInChild }, { ownCommand }] = await Promise.all([
      import('../../runtime/processes/other-reader.ts'),
      import('../../runtime/processes/child.ts'),
    ]);
    return { readInChild, command: [...ownCommand(), '__read'] };
  };
  return {
    async countElsewhere(reader, file, password) {
      const { readInChild, command } = await parts();
      const answer = await readInChild(command, { reader, password, wanted: 'count' }, file, clock, signal);
      return 'bytes' in answer ? UNREADABLE : answer;
    },
    async rewriteElsewhere(reader, file, password) {
      const { readInChild, command } = await parts();
      const answer = await readInChild(command, { reader, password, wanted: 'rewrite' }, file, clock, signal);
      return 'bytes' in answer ? answer.bytes : undefined;
    },
  };
}

export const read: RunOwn = async () => {
  const { receiveRequest } = await import('../../runtime/processes/other-reader.ts');
  const asked = await receiveRequest();
  if (asked === undefined) {
    throw new Failure('usage', '__read is for pdftool itself', { hint: 'Use pdftool info FILE.' });
  }
  const { request, file, answer, gone } = asked;
  const [{ countBy, rewriteBy }, { packageFile }] = await Promise.all([
    import('../../pdf/repair/other-readers.ts'),
    import('../../runtime/folders/package-files.ts'),
  ]);
  const wasm = () => packageFile('@embedpdf/pdfium/pdfium.wasm');
  const question = { ...request, file, signal: gone, wasm };
  const answered =
    request.wanted === 'count'
      ? countBy(question).then((pages) => ({ pages }))
      : rewriteBy(question).then((bytes) => ({ bytes }));
  answer(await answered.catch(() => UNREADABLE));
  return 0;
};

/** Our own reader says what is wrong with the file; messages of other readers may quote its content. */
const UNREADABLE: OtherCount = { why: 'cannot read it' };
