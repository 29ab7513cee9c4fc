import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ArgumentError } from '../../errors.ts';
import { type Access, access, type ListenAddress, listenAddress } from './access.ts';
import { readers } from './events.ts';
import { NO_HISTORY, remembered } from './history.ts';
import {
  type LiveEstimate,
  type LiveFacts,
  type LiveNews,
  type LiveOutput,
  type LiveStatus,
  NOTHING_YET,
  shownOf,
  told,
} from './liveState.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';

/** How a page is served. */
export interface PageServerOptions {
  /** What is known of the run before it reads a row. */
  readonly facts: LiveFacts;
  /** 'HOST:PORT'; port 0 takes any that is free. */
  readonly listen: string;
  /** Asked of every request; needed for addresses that other machines reach. See `listenToken`. */
  readonly token?: string | undefined;
  /** Further names by which the page may be asked for, such as that of a proxy. */
  readonly hosts?: readonly string[] | undefined;
  /** Seconds without a sign of life from the run after which /healthz says so; 300 unless given. */
  readonly staleAfter?: number | undefined;
}

/** The page of a run: an output for estimates, and a place to tell how the run is doing. */
export interface PageServer extends LiveOutput {
  /** Where the page is, without the token. */
  readonly url: string;
  /** Takes what the run tells of itself between estimates; as often as it likes. */
  tell(news: LiveNews): void;
}

/** Readers beyond this are turned away: browsers hold at most six streams each. */
const MOST_READERS = 64;
/** Alarms that the page lists. */
const MOST_ALARMS = 20;
/** Milliseconds between two events about progress: as often as people can read. */
const STATUS_INTERVAL = 250;

/**
 * Serves a page about a run that shows every estimate as it comes: `/` (the page), `/events` (server-sent events),
 * `/metrics` (Prometheus), `/healthz`. Neither `publish` nor `tell` ever waits for a reader, so that none holds the run
 * back.
 *
 * What a private run shows leaves on whole seconds: finer times would say how long the work on a chunk took.
 */
export async function pageServer(options: PageServerOptions): Promise<PageServer> {
  const { facts, staleAfter = 300, token, hosts } = options;
  const listen = listenAddress(options.listen);
  let door = await access({ ...listen, token, hosts });
  const { livePage, loginPage, liveStyle, clientScript } = await import('./livePage.ts');

  let given: LiveEstimate | null = null;
  let estimate: LiveEstimate | null = null;
  let shownAt: number | null = null;
  let reported: LiveStatus = NOTHING_YET;
  let status: LiveStatus = NOTHING_YET;
  let history = NO_HISTORY;
  /** With estimates that are not shown yet. */
  let remembering = NO_HISTORY;
  let unshown = 0;
  let alarms: { readonly chunk: number; readonly coefficient: string; readonly at: number }[] = [];
  let alarmCount = 0;
  let heard = performance.now();
  const speed = speedometer();

  const statusNow = () => ({ ...status, rowsPerSecond: speed.rate(), at: second(Date.now()) });
  const snapshot = () => ({
    facts,
    estimate: estimate && { ...estimate, at: shownAt },
    history,
    alarms,
    status: statusNow(),
  });
  const audience = readers({ newcomer: () => ({ kind: 'snapshot', data: snapshot() }) });

  const showEstimate = (): void => {
    if (given === null || given === estimate) return;
    estimate = given;
    shownAt = second(Date.now());
    history = remembering;
    const { alarm } = estimate;
    if (alarm !== null && alarm.chunk !== alarms.at(-1)?.chunk) {
      alarmCount++;
      alarms = [...alarms, { ...alarm, at: shownAt }].slice(-MOST_ALARMS);
    }
    // Where several came since the last was shown, readers would miss them.
    if (unshown > 1) audience.send('snapshot', snapshot(), true);
    else audience.send('estimate', { ...estimate, at: shownAt, alarms, status: statusNow() }, true);
    unshown = 0;
  };
  const showStatus = (): void => {
    if (status === reported) return;
    status = reported;
    audience.send('status', statusNow(), false);
  };
  // One timer for each: a burst of news is one event, and what came last is never left unsaid.
  const soon = (show: () => void, wait: () => number): (() => void) => {
    let timer: NodeJS.Timeout | undefined;
    return () => {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        show();
      }, wait()).unref();
    };
  };
  const untilSecond = (): number => 1000 - (Date.now() % 1000);
  // A private run has one timer for both, so that an estimate never comes after news that are younger.
  const secondly = soon(() => {
    status = reported;
    showEstimate();
    audience.send('status', statusNow(), false);
  }, untilSecond);
  const statusSoon = facts.isPrivate ? secondly : soon(showStatus, () => STATUS_INTERVAL);

  const health = (): readonly string[] => [
    ...Object.values(status.problems),
    ...(status.phase !== 'ended' && performance.now() - heard > 1000 * staleAfter
      ? [`Nothing has come for more than ${staleAfter} seconds.`]
      : []),
  ];

  const answers: Readonly<Record<string, Answer>> = {
    '/': { type: 'text/html', body: () => livePage(facts) },
    '/live.css': { type: 'text/css', body: () => liveStyle, isPublic: true },
    '/live.js': { type: 'text/javascript', body: () => clientScript, isPublic: true },
    '/metrics': {
      type: METRICS_TYPE,
      body: () =>
        metricsText({
          facts,
          estimate,
          status,
          rowsPerSecond: speed.rate(),
          alarms: alarmCount,
          shownAt: shownAt === null ? null : shownAt / 1000,
          isHealthy: health().length === 0,
        }),
    },
    '/healthz': {
      type: 'text/plain',
      status: () => (health().length === 0 ? 200 : 503),
      body: () =>
        `${health().join('\n') || { waiting: 'waiting for the pilot', running: 'ok', ended: 'ended' }[status.phase]}\n`,
    },
  };

  const server = createServer(
    { maxHeaderSize: 8192, requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => {
      response.on('error', () => response.destroy());
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      const path = /^[^?#]*/.exec(request.url ?? '')![0];
      const refused = door.refusal(request);
      if (refused !== undefined) {
        const [code, why] = refused;
        // What else such a request holds is not read.
        response.setHeader('Connection', 'close');
        if (code === 405) response.setHeader('Allow', 'GET, HEAD');
        return send(request, response, code, 'text/plain', `${why}\n`);
      }
      if (path === '/login') {
        const cookie = door.cookieFor(request);
        if (cookie === undefined) return unknown(request, response);
        response.setHeader('Set-Cookie', cookie);
        return send(request, response, 204, 'text/plain', '');
      }
      const answer = Object.hasOwn(answers, path) ? answers[path]! : undefined;
      if (!answer?.isPublic && !door.isKnown(request)) {
        return path === '/' ? send(request, response, 401, 'text/html', loginPage()) : unknown(request, response);
      }
      if (path === '/events') return listenTo(request, response);
      if (answer === undefined) return send(request, response, 404, 'text/plain', 'There is no such page.\n');
      return send(request, response, answer.status?.() ?? 200, answer.type, answer.body());
    },
  );
  const listenTo = (request: IncomingMessage, response: ServerResponse): void => {
    if (audience.count >= MOST_READERS) {
      send(request, response, 503, 'text/plain', 'Too many are watching already.\n');
    } else if (request.method === 'HEAD') {
      send(request, response, 200, 'text/event-stream', '');
    } else {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      request.socket.setNoDelay(true);
      audience.join(response, request.headers['last-event-id'] as string | undefined);
    }
  };
  server.maxConnections = 4 * MOST_READERS;
  server.on('clientError', (_error, socket) => socket.destroy());

  const { port } = await bound(server, door, listen);
  // A connection that cannot be accepted, for want of descriptors, is no reason to end a run.
  server.on('error', () => {});
  // The cookie's name has the port that was found.
  if (port !== listen.port) door = await access({ ...listen, port, token, hosts });

  return {
    name: 'page',
    url: `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}/`,
    publish: async found => {
      heard = performance.now();
      given = shownOf(found, facts);
      remembering = remembered(remembering, given);
      unshown++;
      speed.read(found.rows.read);
      reported = {
        ...told(reported, { phase: 'running', lag: found.lag, deadLetters: given.deadLetters }),
        progress: reported.progress && reported.phase === 'running' ? { ...reported.progress, rows: 0 } : null,
        read: Math.max(reported.read, found.rows.read),
      };
      if (facts.isPrivate) return secondly();
      status = reported;
      showEstimate();
    },
    tell: news => {
      heard = performance.now();
      reported = told(reported, facts.isPrivate ? { ...news, deadLetters: null } : news);
      if (news.read !== undefined) speed.read(news.read);
      statusSoon();
    },
    close: async () => {
      showStatus();
      showEstimate();
      audience.end();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        // Streams that have been ended get a moment to leave.
        setTimeout(() => server.closeAllConnections(), 100);
        server.closeIdleConnections();
      });
    },
  };
}

interface Answer {
  readonly type: string;
  readonly body: () => string;
  readonly status?: () => number;
  /** The program's own files, which say nothing about the run. */
  readonly isPublic?: boolean;
}

/** The page may load its own files and nothing else, and nobody may frame, embed or keep it. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

function send(request: IncomingMessage, response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type.includes('charset') || type.endsWith('stream') ? type : `${type}; charset=utf-8`,
    ...(status === 204 || type.endsWith('stream') ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function unknown(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('WWW-Authenticate', 'Bearer');
  send(request, response, 401, 'text/plain', 'The token is missing or wrong: send it as Authorization: Bearer.\n');
}

const second = (time: number): number => 1000 * Math.floor(time / 1000);

function bound(
  server: ReturnType<typeof createServer>,
  { address }: Access,
  { host, port }: ListenAddress,
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ArgumentError(
          `${host}:${port} cannot be listened to: ${error.message}; ${error.code === 'EADDRINUSE' ? 'another program does, so name another port' : 'name an address of this machine'}`,
          'ERR_ARGUMENT',
          { argument: 'listen', value: `${host}:${port}` },
        ),
      ),
    );
    server.listen(port, address, () => resolve(server.address() as AddressInfo));
  });
}

/** Milliseconds over which rows per second are taken. */
const WINDOW = 10_000;
/** Milliseconds between two readings that are kept. */
const READING_INTERVAL = 250;

/** Rows per second of the last seconds, by a clock that does not jump. */
function speedometer(): { read(rows: number): void; rate(): number } {
  let readings: { at: number; rows: number }[] = [];
  return {
    read: rows => {
      const at = performance.now();
      const last = readings.at(-1);
      if (last !== undefined && readings.length > 1 && at - readings.at(-2)!.at < READING_INTERVAL) {
        last.rows = Math.max(last.rows, rows);
        last.at = at;
      } else readings.push({ at, rows: Math.max(rows, last?.rows ?? 0) });
      // One reading from before the window stays, to measure from.
      while (readings.length > 2 && readings[1]!.at < at - WINDOW) readings = readings.slice(1);
    },
    rate: () => {
      const [first, last] = [readings[0], readings.at(-1)];
      const now = performance.now();
      if (first === undefined || last === undefined || last === first || now - last.at > WINDOW) return 0;
      return Math.round((last.rows - first.rows) / Math.max(0.25, (now - first.at) / 1000));
    },
  };
}
