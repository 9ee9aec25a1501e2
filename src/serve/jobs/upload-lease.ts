import { Failure } from '../../contract/base/failure.ts';
import type { Service } from '../service/service.ts';
import type { Job } from '../store/rows.ts';

/** Milliseconds after which a server that does not renew its lease loses an upload. */
const LEASE = 15_000;
const RENEW = 3_000;

interface UploadHold extends AsyncDisposable {
  /** Aborted when another server may be writing: nothing more may be appended. */
  readonly lost: AbortSignal;
}

/** Takes the lease on an upload, because two servers that append to one file would mix their bytes. Throws 503 when another server has it. */
export async function holdUpload(job: Job, service: Service): Promise<UploadHold> {
  const { store, clock, id: owner } = service;
  const lost = new AbortController();
  // A single server closes the earlier connection.
  if (!service.isShared) return { lost: lost.signal, async [Symbol.asyncDispose]() {} };
  const over = new AbortController();
  const hold = async (milliseconds: number) => {
    const now = clock.now();
    return store.holdUpload(job.id, { owner, until: now + milliseconds }, now);
  };
  if (!(await hold(LEASE))) throw elsewhere();
  const renewing = renew();
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      over.abort();
      await renewing;
      // A client that continues at another server need not wait for the lease to expire.
      if (!lost.signal.aborted) await hold(-1);
    },
  };

  async function renew(): Promise<void> {
    for (let kept = clock.now(); !over.signal.aborted; ) {
      await clock.sleep(RENEW, over.signal).catch(() => {});
      if (over.signal.aborted) return;
      const isHeld = await hold(LEASE).catch(() => undefined);
      if (isHeld === true) kept = clock.now();
      else if (isHeld === false || clock.now() - kept > LEASE - 2 * RENEW) return lost.abort(elsewhere());
    }
  }
}

function elsewhere(): Failure {
  return new Failure('rate_limited', 'another server takes this upload; ask again in a moment', { status: 503 });
}
