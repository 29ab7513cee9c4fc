import { Admin, Producer } from '@platformatic/kafka';

export interface KafkaTools {
  readonly admin: Admin;
  readonly producer: Producer;
  /** Its transactions are of one id. */
  readonly transactional: Producer;
  make(topic: string, partitions?: number, configs?: Readonly<Record<string, string>>): Promise<void>;
  /** Sends payloads in order to one partition. */
  send(topic: string, payloads: Iterable<Uint8Array>, partition?: number): Promise<void>;
  close(): Promise<void>;
}

/** What a publisher and an administrator do, for tests. */
export function kafkaTools(host: string, sasl?: { username: string; password: string }): KafkaTools {
  const options = {
    clientId: 'test',
    bootstrapBrokers: [host],
    ...(sasl && { sasl: { mechanism: 'PLAIN' as const, ...sasl } }),
  };
  const admin = new Admin(options);
  const producer = new Producer({ ...options, idempotent: true });
  const transactional = new Producer({ ...options, idempotent: true, transactionalId: 'test' });
  const flush = async (messages: { topic: string; partition: number; value: Buffer }[]): Promise<void> => {
    if (messages.length > 0) await producer.send({ messages, acks: -1 });
  };
  return {
    admin,
    producer,
    transactional,
    make: async (topic, partitions = 1, configs = {}) => {
      const given = Object.entries(configs).map(([name, value]) => ({ name, value }));
      await admin.createTopics({ topics: [topic], partitions, replicas: 1, configs: given });
    },
    send: async (topic, payloads, partition = 0) => {
      let messages: { topic: string; partition: number; value: Buffer }[] = [];
      let bytes = 0;
      for (const payload of payloads) {
        messages.push({ topic, partition, value: Buffer.from(payload) });
        bytes += payload.length;
        if (bytes < 500_000 && messages.length < 500) continue;
        await flush(messages);
        [messages, bytes] = [[], 0];
      }
      await flush(messages);
    },
    close: async () => {
      await producer.close();
      await transactional.close();
      await admin.close();
    },
  };
}
