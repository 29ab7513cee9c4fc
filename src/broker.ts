import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ClusterMetadata, Consumer, fetchV17, RecordsBatch } from '@platformatic/kafka';
import { ArgumentError, refuse, requireChoice } from './errors.ts';
import { peer } from './peers.ts';

/** Where a stream or a topic is. */
export interface BrokerAddress {
  readonly broker: 'nats' | 'kafka';
  /** Hosts, with ports where given. */
  readonly servers: readonly string[];
  /** What stands behind the hosts: a stream, a subject or a topic. */
  readonly name: string;
  /** The whole address, which holds no credentials: for messages, logs and pages. */
  readonly label: string;
}

/**
 * Takes `nats://host:4222/stream` and `kafka://host:9092,other:9092/topic` apart. A URL with a password is refused,
 * because command lines and logs are read by others; `brokerSetting` says where credentials belong.
 */
export function brokerAddress(url: string | URL, broker?: BrokerAddress['broker']): BrokerAddress {
  const text = String(url);
  const [, scheme, hosts, name] = /^([a-z]+):\/\/([^/]*)\/?(.*)$/.exec(text) ?? [];
  const form = { nats: 'nats://host:4222/stream', kafka: 'kafka://host:9092/topic' };
  // Before anything that shows the value.
  if (/@/.test(hosts ?? text)) {
    const prefix = scheme === 'kafka' ? 'SLUICE_KAFKA' : 'SLUICE_NATS';
    throw new ArgumentError(
      `the address of a broker must hold no credentials; set ${prefix}_USER and ${prefix}_PASSWORD in the environment, ` +
        `or ${prefix}_PASSWORD_FILE to a file that holds the password`,
      'ERR_ARGUMENT',
      { argument: 'url' },
    );
  }
  const wanted = broker === undefined ? `${form.nats} or ${form.kafka}` : form[broker];
  const isKnown = scheme === 'nats' || scheme === 'kafka';
  if (!isKnown || (broker ?? scheme) !== scheme || !hosts || !name || !/^[\w.-]+$/.test(name) || name.length > 249) {
    return refuse('the address of a broker', `be like ${wanted}`, text);
  }
  const servers = hosts.split(',');
  const bad = servers.find(server => !/^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(server));
  if (bad !== undefined) refuse('the host of a broker', 'be a name or an address with a port', bad);
  return { broker: scheme, servers, name, label: `${scheme}://${hosts}/${name}` };
}

/**
 * What the environment says about a broker; undefined where it says nothing. Instead of any variable `NAME` there may
 * be `NAME_FILE`, the path of a file that holds the value, such as a mounted secret.
 *
 * | variable | what |
 * |---|---|
 * | `SLUICE_NATS_USER`, `SLUICE_NATS_PASSWORD` | user and password |
 * | `SLUICE_NATS_TOKEN` | a token |
 * | `SLUICE_NATS_NKEY` | the seed of an nkey |
 * | `SLUICE_NATS_CREDS` | a credentials document, usually by `SLUICE_NATS_CREDS_FILE` |
 * | `SLUICE_KAFKA_USER`, `SLUICE_KAFKA_PASSWORD` | user and password for SASL |
 * | `SLUICE_KAFKA_SASL` | `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`; PLAIN unless given |
 * | `SLUICE_NATS_TLS`, `SLUICE_KAFKA_TLS` | `on`: encrypted, the broker's certificate checked |
 * | `SLUICE_NATS_CA`, `SLUICE_KAFKA_CA` | PEM text that certificates are checked by; implies TLS |
 * | `SLUICE_NATS_CERT`, `_KEY`, `SLUICE_KAFKA_CERT`, `_KEY` | PEM texts of the client's own certificate; imply TLS |
 */
async function brokerSetting(name: string): Promise<string | undefined> {
  const { [name]: value, [`${name}_FILE`]: path } = process.env;
  if (value !== undefined && path !== undefined) {
    throw new ArgumentError(`${name} and ${name}_FILE must not both be set; unset one`, 'ERR_CONFLICT', {
      argument: name,
    });
  }
  if (path === undefined) return value || undefined;
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ArgumentError(`${name}_FILE cannot be read: ${error.code}; name a file that you may read`, 'ERR_FILE', {
      file: path,
    });
  });
  return content.trim();
}

/** What the environment says about connections to one kind of broker, and what must never be shown of it. */
export interface BrokerSecurity {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  readonly nkey?: string;
  readonly creds?: string;
  readonly sasl?: string;
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** What went wrong, in the client's words, without any secret that they might repeat. */
  tell(error: unknown): string;
}

/** Reads the variables of one kind of broker; the names are those of `brokerSetting`. */
export async function brokerSecurity(broker: BrokerAddress['broker']): Promise<BrokerSecurity> {
  const prefix = `SLUICE_${broker.toUpperCase()}`;
  const names = ['user', 'password', 'token', 'nkey', 'creds', 'sasl', 'tls', 'ca', 'cert', 'key'] as const;
  const said: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    const value = await brokerSetting(`${prefix}_${name.toUpperCase()}`);
    if (value !== undefined) said[name] = value;
  }
  const { tls, ca, cert, key, ...rest } = said;
  if (tls !== undefined && tls !== 'on' && tls !== 'off') refuse(`${prefix}_TLS`, 'be on or off', tls);
  const isEncrypted = tls === 'on' || ca !== undefined || cert !== undefined || key !== undefined;
  if (isEncrypted && tls === 'off') {
    throw new ArgumentError(`${prefix}_TLS is off, but certificates are given; unset one of them`, 'ERR_CONFLICT', {
      argument: `${prefix}_TLS`,
    });
  }
  const pem = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  const secrets = [rest.password, rest.token, rest.nkey, rest.creds, key].filter(secret => secret !== undefined);
  return {
    ...rest,
    ...(isEncrypted && { tls: pem }),
    tell: error => secrets.reduce((text, secret) => text.replaceAll(secret, '…'), wordsOf(error)),
  };
}

/** Clients wrap what happened: the innermost errors say it. */
function wordsOf(error: unknown): string {
  const { errors, cause, message } = error as { errors?: unknown[]; cause?: unknown; message?: string };
  const inner = errors?.at(-1) ?? cause;
  if (inner instanceof Error && inner.message !== '') return wordsOf(inner);
  const text = message || (error as NodeJS.ErrnoException)?.code || String(error);
  return text.replace(/\.$/, '');
}

/** The pause before the first new attempt, in milliseconds: a broker that restarts is back in about a second. */
const FIRST_PAUSE = 250;
/** The longest pause: a minute without estimates is much, and two attempts a minute load nobody. */
const LONGEST_PAUSE = 30_000;

/** Milliseconds before attempt n, counted from 0: doubling, bounded, and scattered over the upper half by `jitter`. */
export const backOff = (attempt: number, jitter: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt, 20)) * (0.5 + jitter / 2);

/** In [0, 1): the digits of the clock below a microsecond's thousandth, so that watchers do not return all at once. */
export const scattered = (): number => (performance.now() * 1000) % 1;

/** Messages that are pulled over one connection. */
export interface Session<M> {
  /**
   * The messages that came next; none, if nothing came for a while and the broker says that nothing waits. Throws an
   * ArgumentError for what waiting will not mend, and any other error for what it may.
   */
  next(): Promise<readonly M[]>;
  close(): Promise<void>;
}

/** What a session that broke goes on with. */
export interface SessionOptions<M> {
  /** Connects again, where the last session ended. */
  readonly open: () => Promise<Session<M>>;
  /** The session to begin with. */
  readonly first: Session<M>;
  readonly signal: AbortSignal;
  /** Told what is wrong while it is, and null once it is over. */
  readonly onProblem?: ((problem: string | null) => void) | undefined;
  readonly tell: (error: unknown) => string;
}

/** One session after another, with a growing pause after each that broke, until the signal ends them with its reason. */
export async function* sessions<M>(options: SessionOptions<M>): AsyncGenerator<readonly M[], void> {
  const { open, first, signal, onProblem, tell } = options;
  let session: Session<M> | undefined = first;
  let failures = 0;
  try {
    while (!signal.aborted) {
      try {
        session ??= await open();
        const messages = await unlessEnded(session.next(), signal);
        if (messages === null) break;
        if (failures > 0) onProblem?.(null);
        failures = 0;
        if (messages.length > 0) yield messages;
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof ArgumentError) throw error;
        const broken = session;
        session = undefined;
        onProblem?.(tell(error));
        await closed(broken);
        await setTimeout(backOff(failures++, scattered()), undefined, { signal }).catch(() => {});
      }
    }
    signal.throwIfAborted();
  } finally {
    await closed(session);
  }
}

/** Closes what may be broken: clients wait for a broker that is away, some for ever. */
export async function closed(what: { close(): Promise<void> } | undefined): Promise<void> {
  if (what !== undefined) await within(PATIENCE, 'closing', what.close()).catch(() => {});
}

/**
 * The promise's value; null once the signal ends the run. Not by a race with one promise that lasts as long as the run:
 * that would hold all values until then.
 */
async function unlessEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let end = (): void => {};
  const ended = new Promise<null>(resolve => {
    end = () => resolve(null);
  });
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener('abort', end);
    promise.catch(() => {});
  }
}

/** The promise's value, or an error after so many milliseconds of silence. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} took longer than ${milliseconds} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
    promise.catch(() => {});
  }
}

/** A message's bytes in 64 letters, for positions of runs that are not private. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The error for a stream whose rows decide which other rows exist, which the price of a private run does not cover. */
export const notKept = (label: string, setting: string, remedy: string): ArgumentError =>
  new ArgumentError(
    `${label} cannot be watched privately: with ${setting}, what rows hold decides which other rows exist; ${remedy}`,
    'ERR_NOT_PRIVATE',
    { source: label, setting },
  );

/** The error for a topic that a second writer appends to. */
export const otherWriter = (label: string): ArgumentError =>
  new ArgumentError(
    `${label} has a record of another writer; end one of the two runs, and let the other begin from the newer checkpoint`,
    'ERR_CONFLICT',
    { topic: label },
  );

/** Milliseconds that a broker may take to answer; in a network it takes some hundredths of that. */
export const PATIENCE = 5000;

/**
 * Connects to NATS. The connection does not come back by itself: whoever uses it has to see first whether all is as it
 * was, and `sessions` does that. An error that waiting will not mend is an ArgumentError.
 */
export async function connectNats(
  { servers, label }: BrokerAddress,
  security: BrokerSecurity,
  use: string,
): Promise<NatsConnection> {
  const { connect, credsAuthenticator, nkeyAuthenticator } = await peer('@nats-io/transport-node', use);
  const { user, password, token, nkey, creds, tls, tell } = security;
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const authenticator = creds ? credsAuthenticator(bytes(creds)) : nkey ? nkeyAuthenticator(bytes(nkey)) : undefined;
  return connect({
    servers: [...servers],
    name: 'sluice',
    reconnect: false,
    timeout: PATIENCE,
    ...(authenticator && { authenticator }),
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(token !== undefined && { token }),
    ...(tls && { tls }),
  }).catch(error => {
    if (!/authori[sz]ation|authentication/i.test(`${error.name} ${error.message}`)) throw error;
    throw new ArgumentError(
      `${label} refused the credentials: ${tell(error)}; set SLUICE_NATS_USER and SLUICE_NATS_PASSWORD, ` +
        'SLUICE_NATS_TOKEN, SLUICE_NATS_NKEY or SLUICE_NATS_CREDS_FILE in the environment',
      'ERR_CONFLICT',
      { source: label },
    );
  });
}

/** What to say of a broker that is not there when a run begins; later a run waits for it. */
export const unreachable = (label: string, problem: string): ArgumentError =>
  new ArgumentError(`${label} cannot be reached: ${problem}; start the broker, or name another`, 'ERR_ARGUMENT', {
    argument: 'source',
    value: label,
  });

type Mechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
const MECHANISMS: readonly Mechanism[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** How clients of Kafka connect, whatever they do; they try once, because `sessions` tries again. */
export function kafkaOptions({ servers }: BrokerAddress, { user, password, sasl, tls }: BrokerSecurity) {
  const mechanism = requireChoice<Mechanism>('SLUICE_KAFKA_SASL', (sasl ?? 'PLAIN') as Mechanism, MECHANISMS);
  return {
    clientId: 'sluice',
    bootstrapBrokers: servers.map(server => (/:\d+$/.test(server) ? server : `${server}:9092`)),
    retries: 0,
    connectTimeout: PATIENCE,
    requestTimeout: PATIENCE,
    ...(user !== undefined && { sasl: { mechanism, username: user, password: password ?? '' } }),
    ...(tls && { tls }),
  };
}

/** Whether an error of a Kafka client, or what it wraps, has this code of the client's or of the protocol's. */
export function kafkaSays(error: unknown, code: string): boolean {
  const { errors = [], cause, ...own } = Object(error) as { errors?: unknown[]; cause?: unknown; code?: unknown };
  const { apiId } = own as { apiId?: unknown };
  return own.code === code || apiId === code || [...errors, cause].some(inner => inner && kafkaSays(inner, code));
}

/** An error of a Kafka client, as an ArgumentError if waiting will not mend it. */
export function kafkaError(error: unknown, { label }: BrokerAddress, { tell }: BrokerSecurity): unknown {
  if (!kafkaSays(error, 'PLT_KFK_AUTHENTICATION')) return error;
  return new ArgumentError(
    `${label} refused the credentials: ${tell(error)}; set SLUICE_KAFKA_USER, SLUICE_KAFKA_PASSWORD and ` +
      'SLUICE_KAFKA_SASL in the environment',
    'ERR_CONFLICT',
    { source: label },
  );
}

/** What a cluster knows of a topic, just now; null if there is no such topic. */
export async function kafkaTopicOf(consumer: Consumer, topic: string): Promise<ClusterMetadata | null> {
  const metadata = await consumer.metadata({ topics: [topic], forceUpdate: true }).catch(error => {
    if (/^Unknown topic /.test(error.message) || kafkaSays(error, 'UNKNOWN_TOPIC_OR_PARTITION')) return null;
    throw error;
  });
  const partitions = metadata?.topics.get(topic)?.partitions ?? [];
  if (partitions.some(({ leader }) => !metadata!.brokers.has(leader))) throw new Error('a partition has no leader');
  return metadata;
}

type Fetch = typeof fetchV17.api;
type FetchResponsePartition = Awaited<ReturnType<Fetch['async']>>['responses'][number]['partitions'][number];

/** Asks the broker `leader` for messages of its partitions, of each from an offset on, and at most so many bytes. */
export type KafkaFetch = (
  leader: number,
  from: ReadonlyMap<number, bigint>,
  bytes: number,
) => Promise<readonly KafkaFound[]>;

/** Attributes of a batch of records: written within a transaction; a mark of the broker instead of messages. */
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;
const READ_COMMITTED = 1;

/**
 * Requests for committed messages of a topic, which a broker may keep for `wait` milliseconds while there are none. The
 * client's own streams are not used: they do not tell what was removed, and they give what an aborted transaction has
 * written if its end is in a later answer.
 */
export async function kafkaFetch(
  kafka: typeof import('@platformatic/kafka'),
  consumer: Consumer,
  metadata: ClusterMetadata,
  topic: string,
  wait: number,
): Promise<KafkaFetch> {
  const { id: topicId, partitions } = metadata.topics.get(topic)!;
  const connections = await consumer.connectToBrokers([...new Set(partitions.map(({ leader }) => leader))]);
  const { async: fetch } = await new Promise<Fetch>((resolve, reject) => {
    consumer[kafka.kGetApi]('Fetch', (error, api) => (error ? reject(error) : resolve(api as unknown as Fetch)));
  });
  return async (leader, from, bytes) => {
    const wanted = [...from].map(([partition, fetchOffset]) => ({
      partition,
      fetchOffset,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
      partitionMaxBytes: bytes,
    }));
    const topics = [{ topicId, partitions: wanted }];
    // The broker keeps no session: every request says all that it asks for.
    const answer = await fetch(connections.get(leader)!, wait, 1, bytes, READ_COMMITTED, 0, -1, topics, [], '');
    return answer.responses
      .flatMap(({ partitions: found }) => found)
      .map(found => messagesIn(found, from.get(found.partitionIndex)!));
  };
}

/** A message of a partition. */
export interface KafkaMessage {
  readonly offset: bigint;
  readonly time: bigint;
  readonly key: Uint8Array | null;
  readonly bytes: Uint8Array;
}

/** What a request found in a partition. */
export interface KafkaFound {
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** The offset to ask for next, which marks of the broker may separate from the last message. */
  readonly next: bigint;
  /** The offset behind the partition's last message. */
  readonly end: bigint;
}

const NO_BYTES = new Uint8Array(0);

/**
 * The messages of an answer from an offset on, without what the broker says of transactions, and without what was
 * written by transactions that were aborted: the answer lists where these begin, and they end at their marks.
 */
function messagesIn(
  { partitionIndex: partition, records = [], abortedTransactions, highWatermark: end }: FetchResponsePartition,
  from: bigint,
): KafkaFound {
  const aborted = [...abortedTransactions].sort((one, other) => (one.firstOffset < other.firstOffset ? -1 : 1));
  const undone = new Set<bigint>();
  const messages: KafkaMessage[] = [];
  let next = from;
  for (const batch of records) {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta);
    while (aborted.length > 0 && aborted[0]!.firstOffset <= last) undone.add(aborted.shift()!.producerId);
    if (last >= next) next = last + 1n;
    if ((batch.attributes & CONTROL) !== 0) {
      if (isAbort(batch)) undone.delete(batch.producerId);
    } else if ((batch.attributes & TRANSACTIONAL) === 0 || !undone.has(batch.producerId)) {
      for (const { offsetDelta, timestampDelta, key, value } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta);
        const time = batch.firstTimestamp + timestampDelta;
        if (offset >= from) messages.push({ offset, time, key, bytes: value ?? NO_BYTES });
      }
    }
  }
  return { partition, messages, next, end };
}

/** The key of a mark has a version and a type, of 16 bits each; type 0 is an abort. */
const isAbort = ({ records }: RecordsBatch): boolean => records[0]?.key?.readInt16BE(2) === 0;
