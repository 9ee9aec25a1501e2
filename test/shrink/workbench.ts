import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Context, Draft, Helper, RandomAccess } from '../../src/contract/base/ports.ts';
import { startHelper } from '../../src/runtime/processes/helper-process.ts';
import { PROGRAM } from '../e2e/pdftool.ts';

/** Of a question as it is sent: pixels belong in the bytes beside it, where they take no time to be written as text. */
const MOST_ASKED = 500;

let started: Helper | undefined;
afterAll(() => started?.end());

/** The process with the codecs: one for all tests of a file, and another one where that ended. */
function codecs(): Helper {
  const helper = (started ??= startHelper([process.execPath, PROGRAM, '__codec']));
  return {
    async ask(question, bytes) {
      if (JSON.stringify(question).length > MOST_ASKED) throw new RangeError('a question to the codec holds pixels');
      const answer = await helper.ask(question, bytes);
      if (answer === undefined && started === helper) started = undefined;
      return answer;
    },
    end() {},
  };
}

/** A file on disk as runtime/ gives it to an engine. */
export function fileSource(path: string): RandomAccess {
  const descriptor = openSync(path, 'r');
  const { size } = statSync(path);
  const read = (into: Uint8Array, position: number) => readSync(descriptor, into, 0, into.length, position);
  return {
    name: basename(path),
    size,
    read,
    async *open() {
      for (let at = 0; at < size; ) {
        const piece = new Uint8Array(Math.min(1 << 20, size - at));
        const got = read(piece, at);
        if (got === 0) return;
        at += got;
        yield piece.subarray(0, got);
      }
    },
  };
}

/** A context whose drafts are files of `folder`; the last one finished under each name stays there. */
export function contextIn(folder: string, signal = new AbortController().signal): Context {
  const create = (name: string): Draft => {
    const path = join(folder, name);
    const descriptor = openSync(path, 'w');
    let size = 0;
    return {
      name,
      get size() {
        return size;
      },
      write(bytes) {
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
        size += bytes.length;
      },
      finish() {
        closeSync(descriptor);
        return fileSource(path);
      },
      discard() {
        rmSync(path, { force: true });
      },
    };
  };
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  return {
    signal,
    clock: { now: Date.now, sleep },
    temp: { create },
    startCodecs: async () => codecs(),
    progress: () => {},
    detail: () => {},
  };
}

/** All bytes of a source. */
export async function bytesOf(source: { open(signal: AbortSignal): AsyncIterable<Uint8Array> }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.open(new AbortController().signal)) pieces.push(piece);
  return Buffer.concat(pieces);
}
