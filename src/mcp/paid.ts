import { Failure } from '../contract/base/failure.ts';
import type { Charge, Reserved } from './spending.ts';
import type { SharedState, ToolAnswer, ToolCall } from './tool.ts';

/** The outcome of a charged call. `used`: credits, where the service reports them. */
interface Paid {
  readonly answer: ToolAnswer;
  readonly used: number | undefined;
}

/**
 * Makes a charged call once its price is allowed. A call that the client cancels after it was sent is finished, and the
 * next answer of this server reports the result. `work` calls `reserve` before it sends anything: that throws where the
 * price is not allowed.
 */
export async function spend(
  charge: Charge,
  call: Pick<ToolCall, 'signal' | 'asking' | 'shared'>,
  work: (signal: AbortSignal, reserve: () => void) => Promise<Paid>,
): Promise<ToolAnswer> {
  const { shared } = call;
  call.signal.throwIfAborted();
  let reserved: Reserved | undefined;
  const reserve = () => void (reserved ??= shared.spending.reserve(charge, call.asking));
  const began = shared.clock.now();
  const doing = (async () => {
    try {
      const { answer, used } = await work(shared.stop, reserve);
      reserved?.settle(used ?? charge.price.credits);
      if (call.signal.aborted) tell(shared, charge, began, became(answer));
      return answer;
    } catch (error) {
      if (error instanceof Failure && error.charged === 'no') reserved?.settle(0);
      const why = error instanceof Failure ? `${error.message} (charged: ${error.charged})` : String(error);
      if (call.signal.aborted && reserved !== undefined) tell(shared, charge, began, `it failed: ${why}`);
      throw error;
    }
  })();
  const settled = Promise.allSettled([doing]);
  shared.underWay.add(settled);
  void settled.then(() => shared.underWay.delete(settled));
  return doing;
}

function tell({ notices, say }: SharedState, { tool }: Charge, began: number, what: string): void {
  const when = new Date(began).toISOString().replace(/\.\d+Z$/, 'Z');
  const line = `${tool} of ${when} was cancelled after it was sent, and went on: ${what}`;
  notices.push(line);
  say(line);
}

function became({ record, files = [] }: ToolAnswer): string {
  const { credits, job_id } = record;
  const where = files.map(({ path }) => path).join(', ') || (typeof job_id === 'string' ? `job ${job_id}` : 'done');
  return `${where}; credits: ${JSON.stringify(credits ?? 'as priced')}`;
}
