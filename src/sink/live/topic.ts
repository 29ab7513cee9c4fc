import { setTimeout } from 'node:timers/promises';
import {
  type BrokerAddress,
  backOff,
  brokerAddress,
  brokerSecurity,
  closed,
  digestOf,
  otherWriter,
  PATIENCE,
  requireHost,
  scattered,
  waitingFor,
  within,
} from '../../broker.ts';
import { ArgumentError } from '../../errors.ts';
import { aFunction, flag, requireKnown, text } from '../../options.ts';
import { kafkaTopic } from './kafkaTopic.ts';
import type { LiveEstimate, LiveOutput } from './liveState.ts';
import { natsTopic } from './natsTopic.ts';
import { estimateLine } from './ndjson.ts';

/** A record of a topic. The id tells a record that was published again from a new one. */
export interface TopicRecord {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** A topic that is connected. What waiting will not mend is an ArgumentError. */
export interface Topic {
  /** The latest record; null where there is none. */
  last(): Promise<TopicRecord | null>;
  /** Resolves once the broker has stored the record. */
  append(record: TopicRecord, headers: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** How a topic is written to. */
export interface TopicOptions {
  /** What the run is called, the same after a restart: records are numbered within it. */
  readonly run: string;
  /**
   * Whether nobody else may append, as for private runs, where a second writer would release rows twice: a record that
   * another writer has appended since ends the run. Otherwise several runs may share the topic.
   */
  readonly isAlone?: boolean;
  /** Takes why nothing can be published at present, and null once it can again. */
  readonly onProblem?: (problem: string | null) => void;
}

/** Estimates of a stream in a topic. */
export interface TopicOutput extends LiveOutput {
  /**
   * The estimate that was published last, by whichever run: in a private run it is the witness of how far the stream
   * has been used, against a checkpoint that is older than it. Null in an empty topic.
   */
  last(): Promise<{ readonly run: string; readonly estimate: LiveEstimate } | null>;
}

/**
 * Publishes every estimate as JSON to a subject that JetStream stores, `nats://host:4222/estimates.fare`, or to the
 * first partition of a topic, `kafka://host:9092/estimates`. Its id is the run and the chunk, so that the one that is
 * published again after a restart is not there twice. While the broker is away, the run waits for it: no estimate is
 * left out. Credentials come from the environment: see `brokerSetting`.
 *
 * Alone, two writers cannot both append. NATS stores a record only behind the one that this writer saw last; in Kafka a
 * writer that begins shuts out the one before, by the transactional id, and then looks at what that one has appended.
 */
export function topicOutput(url: string | URL, options: TopicOptions): TopicOutput {
  requireKnown(options, { run: text, isAlone: flag, onProblem: aFunction });
  const address = brokerAddress(url);
  const { run } = options;
  const { publish, last, close } = publisher(address, options);
  return {
    name: address.label,
    publish: estimate =>
      publish({ id: `${run}/${estimate.chunk}`, bytes: Buffer.from(estimateLine(estimate).trimEnd()) }, {}),
    last: async () => {
      const record = await last();
      if (record === null) return null;
      const { coefficients, ...rest } = parsed(record, address);
      const listed = Object.entries(coefficients).map(([name, known]) => ({ name, ...known }));
      return { run: record.id.slice(0, record.id.lastIndexOf('/')), estimate: { ...rest, coefficients: listed } };
    },
    close,
  };
}

/** The estimate that a record is; a topic of anything else was named by mistake. */
function parsed({ bytes }: TopicRecord, { label }: BrokerAddress) {
  let found: unknown;
  try {
    found = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Like any other record that is no estimate.
  }
  const { coefficients } = Object(found) as { coefficients?: unknown };
  if (typeof coefficients === 'object' && coefficients !== null)
    return found as Omit<LiveEstimate, 'coefficients'> & {
      readonly coefficients: Readonly<Record<string, Omit<LiveEstimate['coefficients'][number], 'name'>>>;
    };
  throw new ArgumentError(
    `the latest record of ${label} is no estimate of sluice; name a topic that has estimates alone`,
    'ERR_CONFLICT',
    { topic: label },
  );
}

/** A record that could not be read, as sources tell of it. */
interface DeadRecord {
  readonly place: unknown;
  readonly reason: string;
  readonly record: string;
}

/**
 * Takes records that cannot be read to a subject or topic, `nats://host/dead` or `kafka://host/dead`: the record as it
 * came, and in the headers `Sluice-Source`, `Sluice-Place` and `Sluice-Reason`. Never for a private run.
 */
export function deadLetterTopic(
  url: string | URL,
  { source, ...options }: Omit<TopicOptions, 'run' | 'isAlone'> & { readonly source: string },
): { readonly name: string; take(letter: DeadRecord): Promise<void>; close(): Promise<void> } {
  const address = brokerAddress(url);
  const { publish, close } = publisher(address, { ...options, run: source });
  return {
    name: address.label,
    take: ({ place, reason, record }) => {
      const where = JSON.stringify(place);
      const bytes = Buffer.from(record);
      const id = digestOf(Buffer.from(JSON.stringify([source, where, reason, record])));
      // Headers are lines.
      const line = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');
      const headers = { 'Sluice-Source': source, 'Sluice-Place': where, 'Sluice-Reason': line(reason) };
      return publish({ id, bytes }, headers);
    },
    close,
  };
}

/** Appends one record after another, over as many connections as it takes. */
function publisher(address: BrokerAddress, { isAlone = false, onProblem }: TopicOptions) {
  const ended = new AbortController();
  let topic: Promise<Topic> | undefined;
  /** The id of the latest record that this writer knows of; undefined until the topic was looked at. */
  let known: string | null | undefined;
  let conflict: ArgumentError | undefined;

  const opened = async (own?: string): Promise<Topic> => {
    const security = await brokerSecurity(address.broker);
    const found = await (address.broker === 'nats' ? natsTopic : kafkaTopic)(address, security, isAlone);
    try {
      if (own === undefined && known === undefined) return found;
      const id = (await found.last())?.id ?? null;
      if (isAlone && known !== undefined && id !== known && id !== own) throw otherWriter(address.label);
      known = id;
      return found;
    } catch (error) {
      await closed(found);
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const closing = topic;
    topic = undefined;
    await closed(await closing?.catch(() => undefined));
  };
  let work: Promise<unknown> = Promise.resolve();
  /** One at a time, and again while the broker is away. */
  const patiently = <T>(attempt: (topic: Topic) => Promise<T>, own?: string): Promise<T> => {
    const running = work.then(async () => {
      for (let failures = 0; ; failures++) {
        // To begin again would shut out the other writer.
        if (conflict !== undefined) throw conflict;
        try {
          topic ??= opened(own);
          // Clients may wait for ever for the answer of a broker that was killed.
          const result = await within(PATIENCE, 'publishing', attempt(await topic));
          if (failures > 0) onProblem?.(null);
          return result;
        } catch (error) {
          await close();
          if (error instanceof ArgumentError) {
            if (error.code === 'ERR_CONFLICT') conflict = error;
            throw error;
          }
          // A name that had an address once may only be without its server.
          if (known === undefined) await requireHost(address);
          const { tell } = await brokerSecurity(address.broker);
          onProblem?.(waitingFor(address, tell(error)));
          await setTimeout(backOff(failures, scattered()), undefined, { signal: ended.signal });
        }
      }
    });
    work = running.catch(() => {});
    return running;
  };

  return {
    publish: (record: TopicRecord, headers: Readonly<Record<string, string>>): Promise<void> =>
      patiently(async topic => {
        if (known === record.id) return;
        await topic.append(record, headers);
        known = record.id;
      }, record.id),
    last: (): Promise<TopicRecord | null> =>
      patiently(async topic => {
        const record = await topic.last();
        if (isAlone && known !== undefined && (record?.id ?? null) !== known) throw otherWriter(address.label);
        known = record?.id ?? null;
        return record;
      }),
    /** What is still being published is given up. */
    close: async (): Promise<void> => {
      ended.abort();
      await work;
      await close();
    },
  };
}
