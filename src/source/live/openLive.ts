import { stat } from 'node:fs/promises';
import { ArgumentError, dataError, refuse } from '../../errors.ts';
import { formatOf } from '../read/openTable.ts';
import { formatByName } from '../table/detectFormat.ts';
import { fileError } from '../table/fileError.ts';
import { byteSource } from '../text/byteSource.ts';
import { folderStream } from './folderStream.ts';
import { growingFile, type WatchOptions } from './growingFile.ts';
import type { LiveSource, OpenLiveOptions } from './liveSource.ts';
import { stdinStream } from './stdinStream.ts';

/** What streams are opened with that have a name. */
export interface OpenLiveNamed extends WatchOptions {
  /** The input for '-'; that of the process unless given. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Options of a broker's factory, by the protocol of the URL. */
  readonly nats?: object;
  readonly kafka?: object;
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
  const protocol = /^([a-z][a-z+.-]+):\/\//i.exec(name)?.[1]?.toLowerCase();
  if (protocol === undefined)
    return Object.freeze({ name, open: (options: OpenLiveOptions) => openPath(name, watch, options) });
  const broker = BROKERS[protocol];
  if (broker === undefined)
    return refuse('the URL of a stream', 'begin with nats:// or kafka://', name, 'or name a folder, a file, or "-"');
  const { username, password } = new URL(name);
  if (username !== '' || password !== '') {
    throw new ArgumentError(
      'the URL of a stream must have no credentials, which others could read in the list of processes; give them by the environment or a file',
    );
  }
  return Object.freeze({
    name,
    open: async (options: OpenLiveOptions) =>
      (await broker(name, (protocol === 'kafka' ? kafka : nats) ?? {})).open(options),
  });
}

type Broker = (url: string, options: object) => Promise<LiveSource>;

/** A name that is not a literal of `import`, until the modules are there. */
const brokerFrom =
  (path: string, factory: string): Broker =>
  async (url, options) => {
    const module: Record<string, (url: string, options: object) => LiveSource> = await import(path);
    return module[factory]!(url, options);
  };

const BROKERS: Readonly<Record<string, Broker>> = {
  nats: brokerFrom('./nats.ts', 'natsStream'),
  tls: brokerFrom('./nats.ts', 'natsStream'),
  kafka: brokerFrom('./kafka.ts', 'kafkaStream'),
};

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
