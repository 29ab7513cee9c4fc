import {
  type BrokerAddress,
  type BrokerSecurity,
  type KafkaMessage,
  kafkaError,
  kafkaFetch,
  kafkaOptions,
  kafkaSays,
  kafkaTopicOf,
  otherWriter,
} from '../../broker.ts';
import { ArgumentError } from '../../errors.ts';
import { peer } from '../../peers.ts';
import type { Topic } from './topic.ts';

/** Records go where their order is kept. */
const PARTITION = 0;

/** Offsets looked at for the last record; marks of transactions take every second one. */
const STRETCH = 64n;
const STRETCH_BYTES = 2 ** 22;

/** Asks for an id and an epoch, instead of going on with those of a producer that was shut out. */
const NEW_PRODUCER = { producerId: -1n, producerEpoch: -1 };

/** All replicas have stored a record before it counts. */
const ALL = -1;

/**
 * The first partition of a topic of Kafka. The producer is idempotent: a record that is sent again after a break is
 * stored once. Alone, it also is the only one of its transactional id: beginning shuts out the one before.
 */
export async function kafkaTopic(address: BrokerAddress, security: BrokerSecurity, isAlone: boolean): Promise<Topic> {
  const { label, name: topic } = address;
  const kafka = await peer('@platformatic/kafka', 'publishing to Kafka');
  const options = kafkaOptions(address, security);
  const transactionalId = `sluice-${topic}`;
  const producer = new kafka.Producer({ ...options, idempotent: true, ...(isAlone && { transactionalId }) });
  const consumer = new kafka.Consumer({ ...options, groupId: 'sluice', autocommit: false });
  const failed = (error: unknown): never => {
    const isFenced = kafkaSays(error, 'PRODUCER_FENCED') || kafkaSays(error, 'INVALID_PRODUCER_EPOCH');
    throw isFenced ? otherWriter(label) : kafkaError(error, address, security);
  };
  const close = async (): Promise<void> => {
    await Promise.allSettled([producer.close(), consumer.close()]);
  };
  try {
    const metadata = await kafkaTopicOf(consumer, topic);
    if (metadata === null)
      throw new ArgumentError(`${label} is not there; make a topic of that name, or name another`, 'ERR_FILE', {
        topic: label,
      });
    const { leader } = metadata.topics.get(topic)!.partitions[PARTITION]!;
    const fetch = await kafkaFetch(kafka, consumer, metadata, topic, 1);
    const offsets = async (timestamp: bigint, isolationLevel = 1): Promise<bigint> =>
      (await consumer.listOffsets({ topics: [topic], timestamp, isolationLevel })).get(topic)![PARTITION]!;
    // The first transaction takes the id, before anyone looks at what is there.
    let begun = isAlone ? await producer.beginTransaction(NEW_PRODUCER) : undefined;
    const isOpen = async (): Promise<boolean> => (await offsets(-1n)) < (await offsets(-1n, 0));
    return {
      last: async () => {
        // A broker that is killed just after a commit may never note its end. Nobody of this id writes any more, so that
        // the end of the next transaction, even of an empty one, is the end of that one too.
        if (begun !== undefined && (await isOpen())) {
          await begun.addPartitions(metadata, [{ topic, partition: PARTITION, value: Buffer.alloc(0) }]);
          await begun.commit();
          begun = undefined;
        }
        if (isAlone && (await isOpen())) throw new Error('a transaction has not ended');
        const [first, end] = [await offsets(-2n), await offsets(-1n)];
        let latest: KafkaMessage | undefined;
        for (let stop = end; latest === undefined && stop > first; stop -= STRETCH) {
          let next = stop - STRETCH > first ? stop - STRETCH : first;
          while (next < stop) {
            const [found] = await fetch(leader, new Map([[PARTITION, next]]), STRETCH_BYTES);
            if (found!.next === next) break;
            next = found!.next;
            latest = found!.messages.at(-1) ?? latest;
          }
        }
        return latest === undefined ? null : { id: Buffer.from(latest.key ?? '').toString(), bytes: latest.bytes };
      },
      append: async ({ id, bytes }, fields) => {
        const headers = new Map(Object.entries(fields).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]));
        const record = { topic, partition: PARTITION, key: Buffer.from(id), value: Buffer.from(bytes), headers };
        try {
          const transaction = isAlone ? (begun ?? (await producer.beginTransaction())) : undefined;
          begun = undefined;
          await (transaction ?? producer).send({ messages: [record], acks: ALL });
          await transaction?.commit();
        } catch (error) {
          failed(error);
        }
      },
      close,
    };
  } catch (error) {
    await close();
    return failed(error);
  }
}
