import { stat } from 'node:fs/promises';
import { brokerAddress } from '../../broker.ts';
import { dataError, refuse } from '../../errors.ts';
import { formatOf } from '../read/openTable.ts';
import { formatByName } from '../table/detectFormat.ts';
import { fileError } from '../table/fileError.ts';
import { byteSource } from '../text/byteSource.ts';
import { folderStream } from './folderStream.ts';
import { growingFile, type WatchOptions } from './growingFile.ts';
import type { KafkaOptions } from './kafka.ts';
import type { LiveSource, OpenLiveOptions } from './liveSource.ts';
import type { NatsOptions } from './nats.ts';
import { stdinStream } from './stdinStream.ts';

export interface OpenLiveNamed extends WatchOptions {
  /** The input for '-'; that of the process unless given. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** For `natsStream` and `kafkaStream`. */
  readonly nats?: NatsOptions;
  readonly kafka?: KafkaOptions;
}

/**
 * The stream of a name: '-' is standard input, `nats://host/stream` and `kafka://host/topic` are brokers, whose clients
 * are loaded when the stream is opened; anything else is a folder into which files arrive, or a growing NDJSON file.
 * Credentials are no part of a name.
 */
export function openLive(
  name: string,
  { stdin = process.stdin, nats, kafka, ...watch }: OpenLiveNamed = {},
): LiveSource {
  if (typeof name !== 'string' || name === '')
    refuse('the name of a stream', 'be "-", a URL, a folder or a file', name);
  if (name === '-') return stdinStream(stdin);
  if (!name.includes('://'))
    return Object.freeze({ name, open: (options: OpenLiveOptions) => openPath(name, watch, options) });
  const { broker, label } = brokerAddress(name);
  const source = async (): Promise<LiveSource> =>
    broker === 'nats'
      ? (await import('./nats.ts')).natsStream(name, nats)
      : (await import('./kafka.ts')).kafkaStream(name, kafka);
  return Object.freeze({ name: label, open: async (options: OpenLiveOptions) => (await source()).open(options) });
}

/** What is there decides. */
async function openPath(path: string, watch: WatchOptions, options: OpenLiveOptions) {
  const found = await stat(path).catch(error => {
    throw fileError(path, error);
  });
  if (found.isDirectory()) return folderStream(path, watch).open(options);
  const format = formatByName(path) ?? (found.size === 0 ? 'ndjson' : await formatOf(byteSource(path, path)));
  if (format === 'ndjson') return growingFile(path, watch).open(options);
  throw dataError(
    { table: path },
    'is no stream: only a file of JSON objects, one per line, can grow',
    'let complete files arrive in a folder and name that, or pipe the rows: `tail -n +1 -f FILE | sluice watch -`',
  );
}
