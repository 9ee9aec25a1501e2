// Owns streams that keep what is printed, for a run whose output comes later or elsewhere. Writes nothing.
import type { Streams } from '../runtime/streams.ts';

export interface Terminals {
  readonly out: boolean;
  readonly err: boolean;
  readonly columns: number;
}

/** Streams that look like those of `terminals`. */
export function recordStreams(terminals: Terminals): {
  streams: Streams;
  printed: () => { out: string; err: string };
} {
  let out = '';
  let err = '';
  return {
    streams: {
      outIsTerminal: terminals.out,
      errIsTerminal: terminals.err,
      columns: () => terminals.columns,
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      pour: () => {
        throw new TypeError('bytes go to files in a batch');
      },
      isStuck: () => false,
    },
    printed: () => ({ out, err }),
  };
}
