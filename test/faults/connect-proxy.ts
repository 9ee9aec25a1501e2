import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  readonly heads: readonly string[];
  close(): void;
}

export async function startConnectProxy(target: number): Promise<ConnectProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      heads.push(String(chunk));
      const onward = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      socket.on('close', () => onward.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP
    heads,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
