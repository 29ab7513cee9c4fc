import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ArgumentError, refuse } from '../../errors.ts';

/** Where a page listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** '127.0.0.1:8787', '[::1]:8787', or a port alone, which is one of this machine only. */
export function listenAddress(text: string): ListenAddress {
  const found = /^(?:(\[[\da-fA-F:.]+\]|[^:[\]/\s]+)?:)?(\d{1,5})$/.exec(text);
  const port = Number(found?.[2]);
  if (found === null || port > 65_535) return refuse('listen', 'be HOST:PORT', text, 'for example 127.0.0.1:8787');
  return { host: (found[1] ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port };
}

/** A token shorter than this could be guessed. */
const SHORTEST_TOKEN = 16;

/**
 * The token of the page, from the environment: SLUICE_LISTEN_TOKEN, or the file that SLUICE_LISTEN_TOKEN_FILE names.
 * Undefined where there is none. It is never part of a message.
 */
export async function listenToken(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { SLUICE_LISTEN_TOKEN: given, SLUICE_LISTEN_TOKEN_FILE: file } = environment;
  if (given !== undefined && given !== '') return given;
  if (file === undefined || file === '') return undefined;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ArgumentError(
      `SLUICE_LISTEN_TOKEN_FILE cannot be read: ${error.message}; name a file that holds the token`,
      'ERR_FILE',
      { file },
    );
  });
  return text.trim();
}

/** Who may ask, and for what. */
export interface Access {
  /** The address to bind. */
  readonly address: string;
  /** Why a request is refused before it is looked at, as a status and a sentence; undefined where it is not. */
  refusal(request: IncomingMessage): readonly [status: number, why: string] | undefined;
  /** Whether the request may see what the run shows. */
  isKnown(request: IncomingMessage): boolean;
  /** The cookie that stands for the token once it was given; undefined where the request did not give it. */
  cookieFor(request: IncomingMessage): string | undefined;
}

/** What decides who may ask. */
export interface AccessOptions extends ListenAddress {
  /** Needed for any address that other machines reach. */
  readonly token?: string | undefined;
  /** Names by which the page may be asked for, besides addresses, the name of this machine and `host`. */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * Decides who may ask. Other machines need a token. Names are checked too, because a page of somebody else whose name
 * was made to point here (DNS rebinding) would otherwise be taken for ours by a browser: it can have any name, but never
 * that of an address.
 */
export async function access({ host, port, token, hosts = [] }: AccessOptions): Promise<Access> {
  const { address } = await lookup(host).catch((error: Error) => {
    throw new ArgumentError(`listen: ${host} is not known: ${error.message}; use 127.0.0.1`, 'ERR_ARGUMENT', {
      argument: 'listen',
      value: host,
    });
  });
  const isHere = isLoopback(address);
  if (token === undefined && !isHere) {
    refuse(
      'listen',
      'be an address of this machine only, unless there is a token',
      host,
      'set SLUICE_LISTEN_TOKEN, or use 127.0.0.1',
    );
  }
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    // The token itself is a secret, and so not shown.
    throw new ArgumentError(
      `the token must have at least ${SHORTEST_TOKEN} characters, got ${token.length}; openssl rand -hex 24 makes one`,
      'ERR_ARGUMENT',
      { argument: 'token' },
    );
  }
  const names = new Set(['localhost', host, hostname(), ...hosts].map(name => name.toLowerCase()));
  // Browsers send a cookie to every port of a machine, so it has a name for each, and is not the token.
  const cookie = `sluice-${port}`;
  const secret = token === undefined ? undefined : digest(`sluice page\0${token}`);
  const gaveToken = ({ headers }: IncomingMessage): boolean => {
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    // Digests are compared, so that the time it takes says nothing about the token.
    return token !== undefined && given !== undefined && digest(given) === digest(token);
  };

  return {
    address,
    refusal: ({ method, headers, url }) => {
      const asked = nameIn(headers.host);
      const isOurs =
        asked !== undefined && (isIP(asked) > 0 ? !isHere || isLoopback(asked) : names.has(asked.toLowerCase()));
      if (!isOurs) return [421, 'This name is not one of this page.'];
      if (method !== 'GET' && method !== 'HEAD') return [405, 'The page can only be read.'];
      const site = headers['sec-fetch-site'];
      const isVisit = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
      const isForeign =
        (headers.origin !== undefined &&
          headers.origin !== `http://${headers.host}` &&
          headers.origin !== `https://${headers.host}`) ||
        (site !== undefined && site !== 'same-origin' && site !== 'none' && !(isVisit && url === '/'));
      return isForeign ? [403, 'Pages of others may not ask.'] : undefined;
    },
    isKnown: request =>
      secret === undefined || gaveToken(request) || cookiesOf(request).includes(`${cookie}=${secret}`),
    cookieFor: request =>
      gaveToken(request) ? `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000` : undefined,
  };
}

/** The name in a Host header, without port and brackets. */
const nameIn = (host: string | undefined): string | undefined => {
  const found = /^(?:\[([\da-fA-F:.]+)\]|([^:@/\s]+))(?::\d{1,5})?$/.exec(host ?? '');
  return found?.[1] ?? found?.[2];
};

const isLoopback = (address: string): boolean => /^127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';

const cookiesOf = ({ headers }: IncomingMessage): string[] => (headers.cookie ?? '').split(/; */);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
