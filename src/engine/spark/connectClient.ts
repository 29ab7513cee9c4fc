import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceError } from '@grpc/grpc-js';
import { ArgumentError } from '../../errors.ts';
import { secure } from '../../math/random/secure.ts';
import { peer } from '../../peers.ts';
import type { SparkAddress } from './address.ts';
import {
  type ExecuteResponse,
  executeRequest,
  executeResponse,
  interruptRequest,
  reattachRequest,
  releaseExecuteRequest,
  releaseSessionRequest,
} from './connectMessages.ts';

/** A session on a Spark Connect server. */
export interface ConnectClient {
  /** The parts of a query's result, each an Arrow stream. */
  execute(
    sql: string,
    options?: { signal?: AbortSignal | undefined; onProgress?: ((share: number) => void) | undefined },
  ): Promise<readonly Uint8Array[]>;
  close(): Promise<void>;
}

const SERVICE = '/spark.connect.SparkConnectService';
/** A result has a row for each block, or a pilot: 100,000 rows of 200 features take 160 MB. */
const LARGEST_MESSAGE = 2 ** 29;
/** In ms, after a connection was lost; together they wait for a server that is being replaced, but not for one that is gone. */
const WAITS = [100, 200, 400, 800, 1600, 3200, 5000, 5000];

/**
 * A small client of Spark Connect over gRPC. The server keeps the operation of a query when a connection breaks, and the
 * client attaches to it again and takes the responses that it has not seen. Where the operation is gone too, as after a
 * restart, the query is sent again in a new session: it only reads, so that asking twice changes nothing.
 *
 * A query is one operation with an id of its own. `signal` interrupts it on the server. The token is sent with every call
 * and stands in no message, error or stored fact.
 */
export async function connectClient(
  { host, port, secure: isSecure }: SparkAddress,
  token: string | undefined,
  begin: (execute: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<ConnectClient> {
  const grpc = await peer('@grpc/grpc-js', '`onSpark`');
  const channel = new grpc.Client(
    `${host}:${port}`,
    isSecure ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(),
    {
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      // A connection that died without a word is noticed within half a minute.
      'grpc.keepalive_time_ms': 20_000,
      'grpc.keepalive_timeout_ms': 10_000,
    },
  );
  let session = uuid();
  const metadata = () => {
    const made = new grpc.Metadata();
    if (token !== undefined) made.set('authorization', `Bearer ${token}`);
    return made;
  };
  const same = (bytes: Buffer): Buffer => bytes;

  /** A call whose answer is of no use; the result does not depend on whether it arrives. */
  const tell = (method: string, request: Buffer): Promise<void> =>
    new Promise(resolve => {
      const deadline = Date.now() + 2000;
      channel.makeUnaryRequest(`${SERVICE}/${method}`, same, same, request, metadata(), { deadline }, () => resolve());
    });

  /** Hands on the responses of one call as they come; resolves to the error that ended it, if any. */
  const stream = (
    method: string,
    request: Buffer,
    signal: AbortSignal | undefined,
    see: (response: ExecuteResponse) => void,
  ): Promise<ServiceError | undefined> =>
    new Promise(resolve => {
      const call = channel.makeServerStreamRequest(`${SERVICE}/${method}`, same, same, request, metadata());
      const stop = (): void => call.cancel();
      signal?.addEventListener('abort', stop);
      const end = (error?: ServiceError): void => {
        signal?.removeEventListener('abort', stop);
        resolve(error);
      };
      call.on('data', (bytes: Buffer) => see(executeResponse(bytes)));
      call.on('error', (error: ServiceError) => end(error));
      call.on('end', () => end());
    });

  const execute = async (
    sql: string,
    { signal, onProgress }: Parameters<ConnectClient['execute']>[1] = {},
    isBeginning = false,
  ): Promise<readonly Uint8Array[]> => {
    let [operation, isNew, last] = [uuid(), true, undefined as string | undefined];
    let parts: Uint8Array[] = [];
    let failures = 0;
    for (;;) {
      signal?.throwIfAborted();
      let isComplete = false;
      const request = isNew ? executeRequest(session, operation, sql) : reattachRequest(session, operation, last);
      const error = await stream(isNew ? 'ExecutePlan' : 'ReattachExecute', request, signal, response => {
        failures = 0;
        last = response.id ?? last;
        if (response.arrow !== undefined) parts.push(response.arrow);
        if (response.progress !== undefined) onProgress?.(response.progress);
        isComplete ||= response.isComplete;
      });
      if (signal?.aborted) {
        await tell('Interrupt', interruptRequest(session, operation));
        throw signal.reason;
      }
      if (isComplete) {
        tell('ReleaseExecute', releaseExecuteRequest(session, operation));
        return parts;
      }
      const kind = error === undefined ? 'lost' : kindOf(error, grpc.status);
      if (kind === 'failed') throw failed(error!, { host, port }, token);
      if (failures >= WAITS.length) throw gone({ host, port }, error, token);
      await pause(WAITS[failures++]!, undefined, signal ? { signal } : {}).catch(() => {});
      if (kind === 'lost') {
        // The server may have the operation, even where nothing of it has been seen.
        isNew = false;
        continue;
      }
      [operation, isNew, last, parts] = [uuid(), true, undefined, []];
      // The first query of a session makes it, so that one which begins a session is only sent again.
      if (kind === 'session gone' && !isBeginning) {
        session = uuid();
        await begin(text => execute(text, { signal }, true));
      }
    }
  };

  const client: ConnectClient = {
    execute,
    close: async () => {
      await tell('ReleaseSession', releaseSessionRequest(session));
      channel.close();
    },
  };
  try {
    await begin(text => execute(text, {}, true));
    return client;
  } catch (error) {
    channel.close();
    throw error;
  }
}

type Failure = 'lost' | 'operation gone' | 'session gone' | 'failed';

/** What an error means, by its class where the server names one: some servers give all of them the same status. */
function kindOf({ code, details }: ServiceError, status: typeof import('@grpc/grpc-js').status): Failure {
  if (/INVALID_HANDLE\.SESSION|SESSION_NOT_FOUND|SESSION_CLOSED|SESSION_CHANGED|session not found/i.test(details))
    return 'session gone';
  if (/OPERATION_NOT_FOUND|OPERATION_ABANDONED|operation not found|INVALID_CURSOR\.POSITION_NOT/i.test(details))
    return 'operation gone';
  if (/INVALID_CURSOR\.DISCONNECTED/.test(details)) return 'lost';
  const isLost = code === status.UNAVAILABLE || code === status.CANCELLED || code === status.ABORTED;
  // A stream that the peer resets arrives as an internal error.
  return isLost || /RST_STREAM|ECONNRESET|socket hang up/.test(details) ? 'lost' : 'failed';
}

type Place = Pick<SparkAddress, 'host' | 'port'>;

/** The server's own words, on one line and of bounded length: plans and stacks are in its log. */
const MOST_SAID = 600;

const wordsOf = (details: string, token: string | undefined): string => {
  const [said = ''] = details.split(/\n\s*at |\nJVM stacktrace|\n== Physical/);
  const line = said.replaceAll(/\s+/g, ' ').trim();
  const safe = token === undefined || token === '' ? line : line.replaceAll(token, '…');
  return safe.length > MOST_SAID ? `${safe.slice(0, MOST_SAID)}…` : safe;
};

const failed = (error: ServiceError, { host, port }: Place, token: string | undefined): ArgumentError =>
  new ArgumentError(`Spark at ${host}:${port} answered: ${wordsOf(error.details, token)}`, 'ERR_FILE', { host, port });

const gone = ({ host, port }: Place, error: ServiceError | undefined, token: string | undefined): ArgumentError =>
  new ArgumentError(
    `Spark at ${host}:${port} cannot be reached${error === undefined ? '' : ` (${wordsOf(error.details, token)})`}; check the address and that the server runs, then run the same again: with \`checkpoint\` it goes on where it was`,
    'ERR_FILE',
    { host, port },
  );

/** A random UUID of version 4. */
function uuid(): string {
  const random = secure();
  const digits = Array.from({ length: 4 }, () => random.word().toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[random.word() % 4]!;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
