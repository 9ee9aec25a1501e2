import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, unlink } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';

const [folder] = process.argv.slice(2);
const server = createServer((incoming, outgoing) => {
  const path = join(folder, randomUUID());
  let size = 0;
  let written;
  const parser = new Busboy({ headers: incoming.headers, highWaterMark: 256 * 1024, fileHwm: 256 * 1024 });
  parser.on('file', (_name, stream) => {
    const target = createWriteStream(path, { flags: 'wx' });
    written = finished(target);
    stream.on('data', (chunk) => {
      size += chunk.length;
    });
    stream.pipe(target);
  });
  parser.on('finish', async () => {
    await written;
    outgoing.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': size });
    await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), outgoing).catch(() => {});
    unlink(path, () => {});
  });
  incoming.pipe(parser);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: server.address().port, key: '' })}\n`),
);
