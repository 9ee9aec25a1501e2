import { Writable } from 'node:stream';

/**
 * Standard output for a protocol alone: whatever else this process or a library prints there goes to standard error from
 * now on, because one stray line breaks a client.
 */
export function takeStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A client that has gone is told by the stream below; without a listener here it would end the process.
  stdout.on('error', () => {});
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, (error) => done(error ?? undefined));
    },
  });
}
