import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

export interface Proxy {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Where a proxy cuts connections. */
export interface Cutting {
  /** Whether the connection is cut instead of handing this to the server. */
  asked?(said: Buffer): boolean;
  /** How many bytes of an answer are handed on before a cut; undefined where all are, and there is none. */
  answered?(said: Buffer, connection: number): number | undefined;
}

/** Milliseconds for which answers are gathered, so that they arrive together, however the server wrote them. */
const GATHERED = 20;

/** A proxy on loopback before a server there, which cuts connections where it is told to. */
export async function proxyTo(server: number, { asked, answered }: Cutting): Promise<Proxy> {
  const open = new Set<Socket>();
  let connections = 0;
  const listener = createServer(client => {
    const connection = connections++;
    const behind = dial(server, '127.0.0.1');
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
      socket.setNoDelay();
    }
    const cut = (bytes: Buffer): void => {
      // What is written last and the end arrive together.
      client.end(bytes);
      behind.destroy();
    };
    client.on('data', said => {
      if (asked?.(said as Buffer) === true) cut(Buffer.alloc(0));
      else behind.write(said);
    });
    let gathered: Buffer[] = [];
    behind.on('data', said => {
      gathered.push(said as Buffer);
      if (gathered.length > 1) return;
      setTimeout(() => {
        const all = Buffer.concat(gathered);
        gathered = [];
        if (!client.writable) return;
        const most = answered?.(all, connection);
        if (most === undefined) client.write(all);
        else cut(all.subarray(0, most));
      }, GATHERED);
    });
    client.on('close', () => behind.destroy());
    behind.on('close', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as { port: number }).port,
    connections: () => connections,
    close: async () => {
      listener.close();
      for (const socket of open) socket.destroy();
      await once(listener, 'close');
    },
  };
}
