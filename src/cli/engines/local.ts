import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context } from '../../contract/base/ports.ts';
import type { Engine } from '../../contract/engine.ts';
import { info } from '../../contract/operations/pages/pages.ts';
import { toJson } from '../../contract/operations/text.ts';
import type { Probe } from '../../flow/check.ts';

export async function loadLocal(): Promise<Engine> {
  const { createLocalEngine } = await import('../../local/engine.ts');
  return createLocalEngine();
}

export async function countLocalPages(source: ByteSource, ctx: Context): Promise<number> {
  const { record } = await (await loadLocal()).call(info, { file: source }, ctx);
  return Number(record.page_count);
}

/** Counts and reads pages with the local engine, once for each file. */
export const localProbe: Probe = {
  countPages: once(countLocalPages),
  isSigned: once(async (source, ctx) => {
    const { record } = await (await loadLocal()).call(info, { file: source, pages: [1] }, ctx);
    return new Map(Object.entries(record.details ?? {})).get('signatures') !== 0;
  }),
  readPages: once(async (source, ctx) => {
    const { record } = await (await loadLocal()).call(toJson, { file: source }, ctx);
    if (Array.isArray(record.pages)) return record.pages.map((page: { text?: unknown }) => String(page.text ?? ''));
    return undefined;
  }),
  async measureSpeech(op, input, ctx) {
    const { measureSpeech } = await import('../../local/speech/spoken-job.ts');
    const quiet = { ...ctx, progress: () => {} };
    // Rows priced by the minute take these fields, checked by their schemas.
    return measureSpeech(op.name, input as unknown as Parameters<typeof measureSpeech>[1], quiet);
  },
};

type Look<T> = (source: ByteSource, ctx: Context) => Promise<T | undefined>;

/** Undefined for a file that cannot be read here (damaged, encrypted): then the service decides. */
function once<T>(look: Look<T>): Look<T> {
  const known = new WeakMap<ByteSource, T | undefined>();
  return async (source, ctx) => {
    if (known.has(source)) return known.get(source);
    const quiet = { ...ctx, progress: () => {} };
    const value = await look(source, quiet).catch((error: unknown) => {
      if (error instanceof Failure && !ctx.signal.aborted) return undefined;
      throw error;
    });
    known.set(source, value);
    return value;
  };
}
