/** More than the largest picture that is drawn. */
const MOST = 128 * 1024 * 1024;

/** All of standard input. Throws where it is longer than anything that pdftool gives itself. */
export async function readAll(signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > MOST) throw new RangeError(`standard input has more than ${MOST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
