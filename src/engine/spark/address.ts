import { ArgumentError } from '../../errors.ts';

/** Where a Spark Connect server listens. */
export interface SparkAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

const USUAL_PORT = 15002;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * `sc://host:port`, and `sc://host:port/;use_ssl=true` for a server that speaks TLS. With a token the connection is
 * encrypted, unless it stays on this machine. A token is never part of it, since addresses are printed and stored.
 */
export function sparkAddress(url: string, hasToken: boolean): SparkAddress {
  const wrong = (problem: string): never => {
    throw new ArgumentError(`\`url\` must look like sc://host:15002, and ${problem}`, 'ERR_ARGUMENT', {
      argument: 'url',
    });
  };
  const [, host, port, rest = ''] = /^sc:\/\/([^/:;@]+|\[[0-9a-fA-F:]+\])(?::(\d+))?(?:\/(.*))?$/.exec(url) ?? [];
  if (host === undefined) return wrong('got another text');
  const parameters = new Map<string, string>();
  for (const part of rest.split(';').filter(each => each !== '')) {
    const [name = '', value = ''] = part.split('=', 2);
    parameters.set(name, value);
  }
  if (parameters.has('token'))
    return wrong(
      'without a token, which would be printed with it; give the token by the environment variable SLUICE_ENGINE_TOKEN',
    );
  const other = [...parameters.keys()].find(name => name !== 'use_ssl');
  if (other !== undefined) return wrong(`the only parameter is use_ssl, got ${other}`);
  const number = port === undefined ? USUAL_PORT : Number(port);
  if (!(number > 0 && number < 65536)) return wrong(`a port is a number from 1 to 65535, got ${port}`);
  const asked = parameters.get('use_ssl');
  const isHere = LOOPBACK.test(host);
  if (asked === 'false' && hasToken && !isHere)
    return wrong('a token is sent to another machine by TLS only; leave use_ssl=false out');
  return { host, port: number, secure: asked === undefined ? hasToken && !isHere : asked === 'true' };
}
