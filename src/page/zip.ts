// Reads ZIP archives made by the service (APPNOTE.TXT, 4.3): stored or deflated entries of the central directory.

export async function unzip(archive: Blob): Promise<{ name: string; content: Blob }[]> {
  const bytes = new DataView(await archive.arrayBuffer());
  let end = bytes.byteLength - 22;
  while (end >= 0 && bytes.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error('the archive has no directory');
  const entries: { name: string; content: Blob }[] = [];
  let at = bytes.getUint32(end + 16, true);
  for (let left = bytes.getUint16(end + 10, true); left > 0; left -= 1) {
    const [method, size] = [bytes.getUint16(at + 10, true), bytes.getUint32(at + 20, true)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.getUint16(at + offset, true));
    const name = new TextDecoder().decode(new Uint8Array(bytes.buffer, at + 46, nameLength));
    const local = bytes.getUint32(at + 42, true);
    const start = local + 30 + bytes.getUint16(local + 26, true) + bytes.getUint16(local + 28, true);
    const packed = archive.slice(start, start + size);
    entries.push({ name, content: method === 0 ? packed : await inflated(packed) });
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

function inflated(packed: Blob): Promise<Blob> {
  return new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
}
