// Owns one upload by the remote engine, as a process that upload.mjs measures. Prints its peak memory in KiB.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { compress } from '../../src/contract/operations/size.ts';
import type { Context } from '../../src/contract/ports.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, settingsFor } from '../faults/context.ts';

const [, , url = '', path = ''] = process.argv;
const descriptor = openSync(path, 'r');
const file = {
  name: path,
  size: fstatSync(descriptor).size,
  read: (into: Uint8Array, position: number) => readSync(descriptor, into, 0, into.length, position),
  // A file on disk is read at its places; nothing here is opened as a stream.
  open: () => {
    throw new TypeError('not called');
  },
};
const context: Context = { ...createContext(), progress: () => {} };
const result = await createRemoteEngine(settingsFor(url)).call(compress, { file }, context);
if ((result.body.size ?? 0) !== bytesSource('', '%PDF-1.7').size) throw new Error('the sink did not take it');
closeSync(descriptor);
process.stdout.write(`peak ${process.resourceUsage().maxRSS}\n`);
