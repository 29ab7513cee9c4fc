import { setImmediate, setTimeout } from 'node:timers/promises';
import type {
  ConsumerMessages,
  JetStreamManager,
  JsMsg,
  StoredMsg,
  StreamConfig,
  StreamInfo,
} from '@nats-io/jetstream';
import {
  type BrokerAddress,
  brokerAddress,
  brokerSecurity,
  connectNats,
  digestOf,
  notKept,
  type Session,
  sessions,
  unreachable,
  within,
} from '../../broker.ts';
import { ArgumentError, requireInteger, requireKnown } from '../../errors.ts';
import { peer } from '../../peers.ts';
import { liveSchema } from './liveSchema.ts';
import type { Json, LiveSource, OpenLiveOptions, OpenStream } from './liveSource.ts';
import { changed, openedStream, placeOf, requireIdentity } from './openedStream.ts';
import { arrivalsOf, type Message } from './records.ts';

/** How a stream of NATS is read. */
export interface NatsOptions {
  /**
   * Milliseconds without a message after which the server is asked whether any waits; five seconds unless given. A
   * connection that stays silent although messages wait is replaced.
   */
  readonly quiet?: number;
}

/**
 * A stream of NATS JetStream, `nats://host:4222/trips`: all messages of the stream, of all its subjects, in the order
 * of their sequence numbers. To read some subjects only, make a stream that has these as its source: behind a filter
 * one could not tell whether a message was removed or never asked for.
 *
 * Nothing is acknowledged: how far the stream has been used is known by the position alone, which has the sequence, the
 * time and the digest of a message (in a private run no digest: it would be a release of a row without noise). When a
 * position is resumed, and after every break of the connection, the stream must be the one it was: created at the same
 * time, with that message in its place, and with nothing removed behind it that was not read. A stream whose messages
 * vanish when they are acknowledged (retention `workqueue` or `interest`) is refused. A private run refuses what lets
 * rows decide which other rows exist: limits of messages for each subject and of bytes, rollups, and messages with a
 * lifetime of their own.
 *
 * At most 8 MiB, or four of the largest messages that the server takes, wait here to be pulled. Credentials come from
 * the environment: see `brokerSetting`.
 */
export function natsStream(url: string | URL, options: NatsOptions = {}): LiveSource {
  requireKnown(options, 'quiet');
  const address = brokerAddress(url, 'nats');
  const quiet = requireInteger('quiet', options.quiet ?? QUIET, 1);
  return Object.freeze({ name: address.label, open: (opening: OpenLiveOptions) => openNats(address, quiet, opening) });
}

/** Long enough that an idle stream costs nothing, short enough that a stall is found within ten seconds or so. */
const QUIET = 5000;

/** Bytes that may wait to be pulled: a few groups, so that the next is there in time. */
const WAITING_BYTES = 2 ** 23;

/** Bytes and messages of a group, which is handed on together: fewer cost calls, more cost latency. */
const GROUP_BYTES = 2 ** 20;
const GROUP_MESSAGES = 4096;

/** What identifies a message within its stream; the time is the server's, in milliseconds. */
interface Place {
  readonly sequence: number;
  readonly time: number;
  readonly digest?: string;
}

async function openNats(address: BrokerAddress, quiet: number, opening: OpenLiveOptions): Promise<OpenStream> {
  const { label: name, name: stream } = address;
  const { forPrivate, onProblem } = opening;
  const use = 'reading from NATS';
  const { jetstream, jetstreamManager } = await peer('@nats-io/jetstream', use);
  const security = await brokerSecurity('nats');
  const schema = await liveSchema(opening);
  /** The place of the latest message that was pulled; null where there is none to compare with. */
  let latest: { readonly place: Json } = { place: placeOf(name, opening, 'sequence', 'time') };
  /** The sequence behind which all is still to be pulled; null until the stream is known. */
  let used = latest.place === null ? null : (latest.place as unknown as Place).sequence;
  let created: string | undefined;
  let waiting: number | null = null;

  /** Asks what the stream is, and refuses one in which something was removed or put back. */
  const look = async (manager: JetStreamManager): Promise<StreamInfo> => {
    const info = await within(quiet, 'the description of the stream', manager.streams.info(stream)).catch(error => {
      if (error.name !== 'StreamNotFoundError') throw error;
      if (created !== undefined) throw changed(name, 'is not there any more');
      throw new ArgumentError(
        `${name} is not there; make a JetStream stream of that name, or name another`,
        'ERR_FILE',
        { source: name },
      );
    });
    if (created === undefined) requireIdentity(name, identityOf(stream, info), opening);
    else if (info.created !== created) throw changed(name, `was created at ${info.created}, and not at ${created}`);
    created = info.created;
    const { first_seq: first, last_seq: end } = info.state;
    if (used !== null && end < used) throw changed(name, `ends at message ${end}, but message ${used} has been used`);
    if (used !== null && first > used + 1) {
      const lost = first === used + 2 ? `message ${used + 1}` : `messages ${used + 1} to ${first - 1}`;
      throw changed(name, `lost ${lost} before the run had read so far`);
    }
    return info;
  };

  const open = async (): Promise<OpenSession> => {
    const connection = await connectNats(address, security, use);
    try {
      const manager = await jetstreamManager(connection, { checkAPI: false });
      const info = await look(manager);
      requireRetention(name, info.config, forPrivate);
      if (latest.place !== null) {
        const seq = used!;
        const found = await within(quiet, 'the last message', manager.streams.getMessage(stream, { seq }));
        if (found !== null) requireSame(name, latest.place as unknown as Place, found);
      }
      // Without a position the stream begins with the first message that is kept.
      used ??= Math.max(0, info.state.first_seq - 1);
      const consumer = await jetstream(connection).consumers.get(stream, { opt_start_seq: used + 1 });
      const bytes = Math.max(WAITING_BYTES, 4 * (connection.info?.max_payload ?? 0));
      // By halves, so that every request has room for the largest message: the server would never send it otherwise.
      const messages = await consumer.consume({ max_bytes: bytes, threshold_bytes: bytes / 2 });
      const close = (): Promise<void> => {
        // Its timers would outlive the connection where nobody has pulled.
        messages.stop();
        return connection.close();
      };
      return { next: pulling(messages, manager), close, identity: identityOf(stream, info) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  };

  const pulling = (messages: ConsumerMessages, manager: JetStreamManager): (() => Promise<readonly Message[]>) => {
    const iterator = messages[Symbol.asyncIterator]();
    let ahead: Promise<IteratorResult<JsMsg>> | undefined;
    /** The sequence behind which messages waited when the server was last asked. */
    let waitedAt: number | undefined;
    const arrived = async (limit: Promise<undefined>): Promise<JsMsg | undefined> => {
      ahead ??= iterator.next();
      const result = await Promise.race([ahead, limit]);
      if (result === undefined) return undefined;
      ahead = undefined;
      if (result.done) throw new Error('the connection was closed');
      return result.value;
    };
    /** What broke the connection within a group: the group, which is used up for all that follows, goes first. */
    let broken: { readonly error: unknown } | undefined;
    return async () => {
      if (broken !== undefined) throw broken.error;
      const timer = new AbortController();
      const silence = setTimeout(quiet, undefined, { signal: timer.signal }).catch(() => undefined);
      let message = await arrived(silence).finally(() => timer.abort());
      if (message === undefined) {
        const { last_seq: end } = (await look(manager)).state;
        const isWaiting = end > used!;
        if (isWaiting && waitedAt === used) throw new Error('messages wait, but none arrives');
        waitedAt = isWaiting ? used! : undefined;
        return [];
      }
      const soon = setImmediate(undefined);
      const group: Message[] = [];
      try {
        for (let bytes = 0; message !== undefined; message = await arrived(soon)) {
          const { seq, data } = message;
          if (seq <= used!) throw new Error(`message ${seq} came after message ${used}`);
          // Messages in between may have been deleted one by one; none may be missing from the beginning.
          if (seq > used! + 1) await look(manager);
          used = seq;
          waiting = message.info.pending;
          latest = placed(message, forPrivate);
          group.push(latest as Message);
          bytes += data.length;
          if (bytes >= GROUP_BYTES || group.length >= GROUP_MESSAGES) break;
        }
      } catch (error) {
        if (group.length === 0) throw error;
        broken = { error };
      }
      return group;
    };
  };

  const first = await open().catch(error => {
    throw error instanceof ArgumentError ? error : unreachable(name, security.tell(error));
  });
  const groups = (signal: AbortSignal) => sessions({ open, first, signal, onProblem, tell: security.tell });
  return openedStream(
    {
      name,
      identity: first.identity,
      endless: true,
      lag: () => waiting,
      arrivals: stop => arrivalsOf(groups(stop), { ...opening, name, schema }),
      release: first.close,
    },
    opening,
  );
}

interface OpenSession extends Session<Message> {
  readonly identity: Json;
}

const identityOf = (stream: string, { created }: StreamInfo): Json => ({ source: 'nats', stream, created });

/** A message for `arrivalsOf`. Its place is made when it is asked for, because digests cost more than pulling. */
const placed = (message: JsMsg, forPrivate: boolean): Message => ({
  bytes: message.data,
  get place() {
    const time = Number(message.timestampNanos / 1_000_000n);
    return { sequence: message.seq, time, ...(!forPrivate && { digest: digestOf(message.data) }) };
  },
});

/** After a loss of power the server may have given a sequence to another message. */
function requireSame(name: string, { sequence, time, digest }: Place, found: StoredMsg): void {
  if (Date.parse(found.timestamp) !== time || (digest !== undefined && digestOf(found.data) !== digest))
    throw changed(name, `has another message ${sequence} than the one that has been used`);
}

function requireRetention(name: string, config: StreamConfig, forPrivate: boolean): void {
  if (config.retention !== 'limits') {
    throw new ArgumentError(
      `${name} has retention "${config.retention}", by which acknowledged messages vanish; make a stream with retention ` +
        '"limits", which may have this one as its source',
      'ERR_ARGUMENT',
      { argument: 'source', value: name },
    );
  }
  if (!forPrivate) return;
  if (config.max_msgs_per_subject > 0)
    throw notKept(name, 'max_msgs_per_subject', 'make a stream without it, and keep messages by age');
  if (config.max_bytes > 0) throw notKept(name, 'max_bytes', 'make a stream without it, and keep messages by age');
  if (config.allow_rollup_hdrs) throw notKept(name, 'allow_rollup_hdrs', 'make a stream without it');
  if (config.allow_msg_ttl) throw notKept(name, 'allow_msg_ttl', 'make a stream without it, and keep messages by age');
}
