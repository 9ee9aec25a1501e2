import { Failure } from '../../contract/failure.ts';
import type { Clock, Context, OtherCount } from '../../contract/ports.ts';
import type { RunOwn } from '../commands/call.ts';

/** For a Context: starts this program again as `__count` for each question. Nothing of it is loaded before. */
export function otherReaders(clock: Clock, signal: AbortSignal): NonNullable<Context['countElsewhere']> {
  return async (reader, file, password) => {
    const [{ countInChild }, { ownCommand }] = await Promise.all([
      import('../../runtime/processes/other-reader.ts'),
      import('../../runtime/processes/child.ts'),
    ]);
    return countInChild([...ownCommand(), '__count'], { reader, password }, file, clock, signal);
  };
}

export const count: RunOwn = async () => {
  const { receiveRequest } = await import('../../runtime/processes/other-reader.ts');
  const asked = await receiveRequest();
  if (asked === undefined) {
    throw new Failure('usage', '__count is for pdftool itself', { hint: 'Use pdftool info FILE.' });
  }
  const { request, file, answer, gone } = asked;
  const { countBy } = await import('../../pdf/repair/page-count.ts');
  answer(await countBy(request.reader, file, request.password, gone).then((pages) => ({ pages }), UNREADABLE));
  return 0;
};

/** Our own reader says what is wrong with the file; messages of other readers may quote its content. */
const UNREADABLE = (): OtherCount => ({ why: 'cannot read it' });
