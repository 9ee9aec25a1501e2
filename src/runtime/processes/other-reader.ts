// A process of this program for one question: how many pages another reader finds in a file, or the file as it writes it.
import type { ByteSource, Clock, OtherCount, OtherReader } from '../../contract/base/ports.ts';
import { descriptorFor } from '../files/system/file-source.ts';
import { Channel, Lost } from './channel.ts';

/** Seconds of processor time for a reader. Clock time would make answers depend on the load of the machine. */
const PROCESSOR = { count: 3, rewrite: 15 };
/** Milliseconds after which a reader is killed that sleeps, or whose processor time cannot be limited. */
const ASLEEP = 120_000;
/** Bytes that it may hold, and that it may address: Node maps several times what it holds. */
const MEMORY = 1024 * 1024 * 1024;
const ADDRESSES = 6 * MEMORY;
/** Largest files for a reader, in bytes: it holds them whole, and their objects several times. */
const LARGEST = { count: 256 * 1024 * 1024, rewrite: 64 * 1024 * 1024 };

export interface ReadRequest {
  readonly reader: OtherReader;
  readonly password: string | undefined;
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
  const processorTime = PROCESSOR[request.wanted];
  if (input === undefined) return { why: 'was not asked: there is no file to be given to it' };
  if ((file.size ?? 0) > LARGEST[request.wanted]) return { why: 'was not asked: the file is too large for it' };
  const limits = { clock, memory: MEMORY, patience: ASLEEP };
  const bounds = { addressSpace: ADDRESSES, processorTime };
  const channel = new Channel(command, { input, bytes: true, signal, limits, ...bounds });
  try {
    return (await channel.ask(request)).value as ReadAnswer; // the child is this same program
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    if (error.why === 'killed') return { why: `took longer than ${processorTime} s`, late: true };
    if (error.why === 'memory') return { why: `needs more than ${MEMORY / (1024 * 1024)} MiB` };
    return { why: error.why === 'time' ? 'gave no answer' : 'broke down over it' };
  } finally {
    channel.close();
  }
}
