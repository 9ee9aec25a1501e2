import { fontFile } from '../../src/cli/children/means.ts';
import type { ByteSource, Context, Draft, RandomAccess } from '../../src/contract/base/ports.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';

/** Bytes as a file that can be read at any place. */
export function sourceOf(name: string, bytes: Uint8Array): RandomAccess {
  return memorySource(bytes, name);
}

export function createContext(): Context {
  return {
    signal: new AbortController().signal,
    clock: { now: () => 0, sleep: async () => {} },
    temp: { create: (name) => new MemoryDraft(name) },
    fontFile,
    progress() {},
    detail() {},
  };
}

/** A context that hears what is logged; `untold`: the lines that name a temporary file, which no line may. */
export function logged(given: Context): {
  readonly context: Context;
  readonly lines: readonly string[];
  readonly untold: () => readonly string[];
} {
  const lines: string[] = [];
  const drafts: string[] = [];
  const context: Context = {
    ...given,
    temp: {
      create(name) {
        drafts.push(name);
        return given.temp.create(name);
      },
    },
    progress: ({ phase, note }) => void lines.push(`${phase} ${note ?? ''}`),
    step: (what) => void lines.push(what),
    detail: (line) => void lines.push(line),
  };
  return { context, lines, untold: () => lines.filter((line) => drafts.some((name) => line.includes(name))) };
}

/** All bytes of a source. */
export async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open(new AbortController().signal)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

class MemoryDraft implements Draft {
  readonly name: string;
  #chunks: Uint8Array[] = [];
  size = 0;

  constructor(name: string) {
    this.name = name;
  }

  write(bytes: Uint8Array): void {
    this.#chunks.push(bytes.slice());
    this.size += bytes.length;
  }

  discard(): void {
    this.#chunks = [];
    this.size = 0;
  }

  finish(): RandomAccess {
    return sourceOf(this.name, Buffer.concat(this.#chunks));
  }
}
