import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a port of loopback whose connections can be cut. */
export interface Cuttable {
  readonly port: number;
  /** Ends all connections without a word, and returns how many there were. */
  cut(): number;
  close(): Promise<void>;
}

export async function cuttable(target: number): Promise<Cuttable> {
  const open = new Set<Socket>();
  const server = createServer(client => {
    const onward = connect(target, '127.0.0.1');
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        onward.destroy();
      });
    }
    client.pipe(onward).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): number => {
    const count = open.size / 2;
    for (const socket of open) socket.resetAndDestroy();
    return count;
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
