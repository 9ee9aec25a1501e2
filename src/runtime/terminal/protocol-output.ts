import { Writable } from 'node:stream';

/**
 * Takes standard output for a protocol. Whatever else this process or a library prints there goes to standard error from now
 * on, because one stray line breaks a client.
 */
export function takeStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The stream below reports a client that has gone. Without a listener here the error would end the process.
  stdout.on('error', () => {});
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, (error) => done(error ?? undefined));
    },
  });
}
