import type { ByteSource, Clock, OtherCount, OtherReader, RandomAccess } from '../../contract/ports.ts';
import { Descriptors } from '../files/descriptors.ts';
import { descriptorFor, fileSource } from '../files/file-source.ts';
import { type Child, openParent, outgrown, startChild } from './child.ts';

/** Seconds of processor time that a reader has: how busy the machine is changes no answer. */
const PATIENCE = { count: 3, rewrite: 15 };
/** Milliseconds after which one that sleeps, or runs where no processor time is bounded, is given up. */
const ASLEEP = 120_000;
/** Bytes it may hold, and may address: Node maps several times what it holds. */
const MEMORY = 1024 * 1024 * 1024;
const ADDRESSES = 6 * MEMORY;
/** Readers hold a file whole, and several times over what is in it. */
const LARGEST = { count: 256 * 1024 * 1024, rewrite: 64 * 1024 * 1024 };

export interface ReadRequest {
  readonly reader: OtherReader;
  readonly password: string | undefined;
  /** How many pages it finds, or the file as it writes it. */
  readonly wanted: 'count' | 'rewrite';
}

export type ReadAnswer = OtherCount | { readonly bytes: Uint8Array };

/** `command`: the command line of a process that answers ReadRequests about its standard input. */
export async function readInChild(
  command: readonly string[],
  request: ReadRequest,
  file: ByteSource,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const input = descriptorFor(file);
  const processorTime = PATIENCE[request.wanted];
  if (input === undefined) return { why: 'was not asked: there is no file to be given to it' };
  if ((file.size ?? 0) > LARGEST[request.wanted]) return { why: 'was not asked: the file is too large for it' };
  const child = startChild(command, { input, addressSpace: ADDRESSES, processorTime, bytes: true });
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  try {
    child.send(request);
    return await Promise.race([
      answered(child),
      child.ended.then(({ signal: by }) =>
        by === 'SIGXCPU' || by === 'SIGKILL'
          ? { why: `took longer than ${processorTime} s`, late: true as const }
          : { why: 'broke down over it' },
      ),
      clock.sleep(ASLEEP, stop).then(() => ({ why: 'gave no answer' })),
      outgrown(child, MEMORY, clock, stop).then(() => ({ why: `needs more than ${MEMORY / (1024 * 1024)} MiB` })),
    ]);
  } finally {
    over.abort();
    child.kill();
  }
}

function answered(child: Child): Promise<ReadAnswer> {
  return new Promise((resolve) => {
    // The child is this same program.
    child.onMessage((message) => resolve(message as ReadAnswer));
  });
}

/** In the child: the question, the file it is about, and the way to answer. Undefined where nobody asks. */
export async function receiveRequest(): Promise<
  { request: ReadRequest; file: RandomAccess; answer: (answer: ReadAnswer) => void; gone: AbortSignal } | undefined
> {
  const parent = openParent();
  if (parent === undefined) return undefined;
  // The parent is this same program.
  const request = await new Promise<ReadRequest>((resolve) => parent.onMessage((it) => resolve(it as ReadRequest)));
  const descriptors = new Descriptors();
  const file = fileSource(descriptors.adopt(0, '/dev/stdin', 'the file'), descriptors);
  return { request, file, answer: parent.send, gone: parent.gone };
}
