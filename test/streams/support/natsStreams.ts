import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';

export interface NatsTools {
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  /** Makes a stream of this name whose subjects begin with it. */
  make(stream: string, config?: Partial<StreamConfig>): Promise<void>;
  /** Publishes payloads in order, many at once. */
  publish(subject: string, payloads: Iterable<Uint8Array>): Promise<void>;
  close(): Promise<void>;
}

/** What a publisher and an administrator do, for tests. */
export async function natsTools(port: number, options: ConnectionOptions = {}): Promise<NatsTools> {
  const connection = await connect({ servers: `127.0.0.1:${port}`, ...options });
  const [manager, client] = [await jetstreamManager(connection), jetstream(connection)];
  return {
    manager,
    client,
    make: async (stream, config = {}) => {
      await manager.streams.add({ name: stream, subjects: [`${stream}.>`], ...config });
    },
    publish: async (subject, payloads) => {
      let sent: Promise<unknown>[] = [];
      for (const payload of payloads) {
        sent.push(client.publish(subject, payload));
        if (sent.length === 500) await Promise.all(sent.splice(0));
      }
      await Promise.all(sent);
      sent = [];
    },
    close: () => connection.close(),
  };
}
