import type { ClusterMetadata, Consumer } from '@platformatic/kafka';
import {
  type BrokerAddress,
  brokerAddress,
  brokerSecurity,
  digestOf,
  type KafkaFetch,
  type KafkaFound,
  type KafkaMessage,
  kafkaError,
  kafkaFetch,
  kafkaOptions,
  kafkaSays,
  kafkaTopicOf,
  notKept,
  type Session,
  sessions,
  unreachable,
} from '../../broker.ts';
import { ArgumentError, requireInteger, requireKnown } from '../../errors.ts';
import { peer } from '../../peers.ts';
import { liveSchema } from './liveSchema.ts';
import type { Arrival, Json, LiveSource, OpenLiveOptions, OpenStream } from './liveSource.ts';
import { changed, openedStream, placeOf, requireIdentity } from './openedStream.ts';
import { arrivalsOf, type Message } from './records.ts';
import { keyOf, sealing } from './seal.ts';

/** How a topic of Kafka is read. */
export interface KafkaOptions {
  /** Milliseconds that a broker may keep a request for messages while there are none; half a second unless given. */
  readonly wait?: number;
}

/**
 * A topic of Kafka, `kafka://host:9092,other:9092/trips`: all of its partitions, each in the order of its offsets, and
 * the partitions as their messages come. A position has the offset, the time and the digest of the last message used of
 * every partition, and the partition whose message is partly used, with which a resumed run begins. In a private run it
 * has a seal under a secret key instead of digest and time: the one would be a release of a row without noise, and the
 * other may be a time that the row tells of.
 *
 * No consumer group is joined and nothing is committed: messages are requested by their offsets. Offsets may have gaps,
 * which compaction and transactions leave; what transactions that were aborted have written is passed over, and what
 * open ones write waits. When a position is resumed, and after every break of the connection, the topic must be the one
 * it was: of the same id, with the last messages in their places, and with nothing removed behind them that was not
 * read. A private run refuses what lets rows decide which other rows exist: compaction and retention by bytes.
 *
 * For each broker, at most twice 8 MiB wait here to be pulled. Credentials come from the environment: see
 * `brokerSetting`.
 */
export function kafkaStream(url: string | URL, options: KafkaOptions = {}): LiveSource {
  requireKnown(options, 'wait');
  const address = brokerAddress(url, 'kafka');
  const wait = requireInteger('wait', options.wait ?? WAIT, 1, MOST_WAIT);
  return Object.freeze({ name: address.label, open: (opening: OpenLiveOptions) => openKafka(address, wait, opening) });
}

/** Long enough that an idle topic costs two requests a second, short enough that a dead broker is noticed soon. */
const WAIT = 500;
/** Below the time in which a broker has to answer, so that one that is merely waiting is not taken for dead. */
const MOST_WAIT = 4000;

/** Bytes of one answer. */
const FETCH_BYTES = 2 ** 23;

const READ_UNCOMMITTED = 0;
const EARLIEST = -2n;
const LATEST = -1n;

/** How far a partition has been used: its last message, of which only the offset is there where none was used yet. */
interface Mark {
  readonly offset: number;
  readonly time?: number;
  readonly digest?: string;
  readonly seal?: string;
}

type Marks = Readonly<Record<string, Mark>>;

/** Marks are made when they are asked for, and then once, because digests cost more than pulling. */
const marked = (marks: ReadonlyMap<number, () => Mark>): Json =>
  Object.fromEntries([...marks].map(([partition, mark]) => [partition, { ...mark() }]));

async function openKafka(address: BrokerAddress, wait: number, opening: OpenLiveOptions): Promise<OpenStream> {
  const { label: name, name: topic } = address;
  const { forPrivate, onProblem } = opening;
  const kafka = await peer('@platformatic/kafka', 'reading from Kafka');
  const security = await brokerSecurity('kafka');
  const options = kafkaOptions(address, security);
  const schema = await liveSchema(opening);
  const from = placeOf(name, opening, 'of', 'used');
  let id: string | undefined;
  /** How far every partition has been pulled; null until the topic is known. */
  let used: Map<number, () => Mark> | null = null;
  /** The offset to ask for next, and that behind the last message, of every partition. */
  const next = new Map<number, bigint>();
  const ends = new Map<number, bigint>();
  /** The only partition to begin with, because one of its messages is partly used. */
  let only = from !== null && opening.from!.rows > 0 ? Number(from.of) : null;

  const key = forPrivate ? keyOf(name, opening) : null;
  const sealOf = (partition: number, { offset, time, bytes }: KafkaMessage, known: string | null): string => {
    const seal = sealing(key!, known);
    seal.add(`${partition} ${offset} ${time}\n`);
    seal.add(bytes);
    return seal.end();
  };
  const markOf = (message: KafkaMessage, partition: number): (() => Mark) => {
    const { time, bytes } = message;
    const offset = Number(message.offset);
    let mark: Mark | undefined;
    return () => {
      mark ??= forPrivate
        ? { offset, seal: sealOf(partition, message, null) }
        : { offset, time: Number(time), digest: digestOf(bytes) };
      return mark;
    };
  };
  /** After a loss of power, or when a replica that lagged was made the leader, an offset may be another message's. */
  const requireSame = (partition: number, { offset, time, digest, seal }: Mark, found: KafkaMessage): void => {
    const isSame = forPrivate
      ? sealOf(partition, found, seal!) === seal
      : Number(found.time) === time && digestOf(found.bytes) === digest;
    if (!isSame)
      throw changed(
        `partition ${partition} of ${name}`,
        `has another message at offset ${offset} than the one that has been used`,
      );
  };

  const look = async (consumer: Consumer): Promise<ClusterMetadata> => {
    const metadata = await kafkaTopicOf(consumer, topic);
    if (metadata === null && id !== undefined) throw changed(name, 'is not there any more');
    if (metadata === null)
      throw new ArgumentError(`${name} is not there; make a topic of that name, or name another`, 'ERR_FILE', {
        source: name,
      });
    const { id: found, partitions } = metadata.topics.get(topic)!;
    if (id === undefined) requireIdentity(name, identityOf(topic, found), opening);
    else if (found !== id) throw changed(name, `has the id ${found}, and not ${id}: it was made anew`);
    id = found;
    const offsets = async (timestamp: bigint) =>
      (await consumer.listOffsets({ topics: [topic], timestamp, isolationLevel: READ_UNCOMMITTED })).get(topic)!;
    const [firsts, behind] = [await offsets(EARLIEST), await offsets(LATEST)];
    const before = used ?? (from && marksOf(from.used as unknown as Marks));
    if (before !== null && before.size > partitions.length)
      throw changed(name, `has ${partitions.length} partitions, but ${before.size} have been used`);
    used = new Map();
    for (const [partition, first] of firsts.entries()) {
      // A partition that was added later begins at its beginning.
      const none = { offset: before === null ? Number(first) - 1 : -1 };
      const mark = before?.get(partition) ?? (() => none);
      // Not where the last session would have gone on: what it had pulled, but not handed on, is pulled again.
      const begin = BigInt(mark().offset) + 1n;
      const where = `partition ${partition} of ${name}`;
      if (behind[partition]! < begin)
        throw changed(where, `ends at offset ${behind[partition]! - 1n}, but offset ${begin - 1n} has been used`);
      if (first > begin) throw changed(where, `lost offsets ${begin} to ${first - 1n} before the run had read so far`);
      used.set(partition, mark);
      next.set(partition, begin);
      ends.set(partition, behind[partition]!);
    }
    return metadata;
  };

  const open = async (): Promise<OpenSession> => {
    const consumer = new kafka.Consumer({ ...options, groupId: 'sluice', autocommit: false });
    try {
      const metadata = await look(consumer);
      const { id: topicId, partitions } = metadata.topics.get(topic)!;
      if (forPrivate) await requireRetention();
      const asked = await kafkaFetch(kafka, consumer, metadata, topic, wait);
      for (const [partition, mark] of used!) {
        const { offset, time, seal } = mark();
        if (time === undefined && seal === undefined) continue;
        const { leader } = partitions[partition]!;
        const found = await asked(leader, new Map([[partition, BigInt(offset)]]), 1).catch(passOutOfRange);
        const there = found?.[0]?.messages[0];
        if (there?.offset === BigInt(offset)) requireSame(partition, mark(), there);
      }
      const leaders = new Map(partitions.map(({ leader }, partition) => [partition, leader]));
      return { next: pulling(leaders, asked), close: () => consumer.close(), identity: identityOf(topic, topicId) };
    } catch (error) {
      await consumer.close().catch(() => {});
      throw kafkaError(error, address, security);
    }
  };

  const requireRetention = async (): Promise<void> => {
    const admin = new kafka.Admin(options);
    try {
      const configurationKeys = ['cleanup.policy', 'retention.bytes'];
      const resources = [{ resourceType: kafka.ConfigResourceTypes.TOPIC, resourceName: topic, configurationKeys }];
      const [found] = await admin.describeConfigs({ resources });
      const setting = (key: string) => found!.configs.find(({ name }) => name === key)?.value ?? '';
      if (setting('cleanup.policy').includes('compact'))
        throw notKept(name, 'cleanup.policy=compact', 'make a topic with cleanup.policy=delete');
      if (Number(setting('retention.bytes')) >= 0)
        throw notKept(name, `retention.bytes=${setting('retention.bytes')}`, 'set it to -1, and keep messages by age');
    } finally {
      await admin.close();
    }
  };

  /** One request is under way for each broker while the groups of its last answer are used. */
  const pulling = (leaders: ReadonlyMap<number, number>, asked: KafkaFetch): (() => Promise<readonly Message[]>) => {
    const underWay = new Map<number, Promise<{ leader: number; found: readonly KafkaFound[] }>>();
    const groups: KafkaFound[] = [];
    const ask = (): void => {
      for (const leader of new Set(leaders.values())) {
        if (underWay.has(leader)) continue;
        const wanted = [...next].filter(([p]) => leaders.get(p) === leader && (only === null || p === only));
        if (wanted.length === 0) continue;
        const answer = asked(leader, new Map(wanted), FETCH_BYTES).then(found => ({ leader, found }));
        // It may fail while nobody waits for it.
        answer.catch(() => {});
        underWay.set(leader, answer);
      }
    };
    return async () => {
      if (groups.length === 0) {
        ask();
        const { leader, found: all } = await Promise.race(underWay.values());
        underWay.delete(leader);
        for (const found of all) {
          next.set(found.partition, found.next);
          ends.set(found.partition, found.end);
          if (found.messages.length > 0) groups.push(found);
        }
        if (groups.length > 0) ask();
      }
      const group = groups.shift();
      return group === undefined ? [] : placed(group);
    };
  };

  /** What all messages of the group that is in use have behind them. */
  let before: { readonly of: number; readonly used: ReadonlyMap<number, () => Mark> } | null = null;

  const placed = ({ partition: of, messages }: KafkaFound): readonly Message[] => {
    only = null;
    const others = new Map(used!);
    before = { of, used: others };
    return messages.map(message => {
      const mark = markOf(message, of);
      used!.set(of, mark);
      return {
        bytes: message.bytes,
        get place() {
          return { of, used: marked(new Map(others).set(of, mark)) };
        },
      };
    });
  };

  /**
   * Of several partitions the one that comes next is not known before it does: a run that uses a part of the first
   * message of a group must be resumed with its partition, and an item without rows before it says so.
   */
  async function* withPartitions(arrivals: AsyncIterable<Arrival>): AsyncGenerator<Arrival> {
    for await (const arrival of arrivals) {
      const begins = before;
      before = null;
      if (begins === null || used!.size === 1) yield arrival;
      else {
        const place = { of: begins.of, used: marked(begins.used) };
        yield { batch: arrival.batch, items: [{ rows: 0, place }, ...arrival.items] };
      }
    }
  }

  const first = await open().catch(error => {
    throw error instanceof ArgumentError ? error : unreachable(name, security.tell(error));
  });
  const groups = (signal: AbortSignal) => sessions({ open, first, signal, onProblem, tell: security.tell });
  return openedStream(
    {
      name,
      identity: first.identity,
      endless: true,
      lag: () => [...ends].reduce((sum, [partition, end]) => sum + Math.max(0, Number(end - next.get(partition)!)), 0),
      arrivals: stop => withPartitions(arrivalsOf(groups(stop), { ...opening, name, schema })),
      release: first.close,
    },
    opening,
  );
}

interface OpenSession extends Session<Message> {
  readonly identity: Json;
}

const identityOf = (topic: string, id: string): Json => ({ source: 'kafka', topic, id });

const marksOf = (marks: Marks): Map<number, () => Mark> =>
  new Map(Object.entries(marks).map(([partition, mark]) => [Number(partition), () => mark]));

/** A message that was used may be gone by its age. */
function passOutOfRange(error: unknown): null {
  if (kafkaSays(error, 'OFFSET_OUT_OF_RANGE')) return null;
  throw error;
}
