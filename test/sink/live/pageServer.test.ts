import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { type PageServer, type PageServerOptions, pageServer } from '../../../src/sink/live/pageServer.ts';
import { liveEstimate, liveFacts, privateEstimate, privateFacts } from '../../support/liveEstimates.ts';

const TOKEN = 'a token of twenty-four c';
const WORD = TOKEN.replaceAll(' ', '-');

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Asks as no browser would: with any Host and method. */
const get = (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = ask({ hostname, port, path, method, headers }, response => {
      let body = '';
      response.setEncoding('utf8').on('data', text => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });

interface Event {
  readonly id: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON holds.
  readonly data: any;
}

/** Events until there are as many as asked for. */
const events = async (url: string, count: number, headers: Record<string, string> = {}): Promise<Event[]> => {
  const stop = new AbortController();
  const response = await fetch(`${url}events`, { headers, signal: stop.signal });
  expect(response.headers.get('content-type')).to.equal('text/event-stream');
  let text = '';
  const found = (): Event[] =>
    [...text.matchAll(/id: (.*)\nevent: (.*)\ndata: (.*)\n\n/g)].map(([, id, kind, data]) => ({
      id: id!,
      kind: kind!,
      data: JSON.parse(data!),
    }));
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (found().length >= count) break;
  }
  stop.abort();
  return found();
};

describe('the server of the live page', () => {
  const open: PageServer[] = [];
  const serve = async (options: Partial<PageServerOptions> = {}): Promise<PageServer> => {
    const server = await pageServer({ facts: liveFacts, listen: '127.0.0.1:0', ...options });
    open.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });

  it('serves its page, its files, and nothing else', async () => {
    const { url } = await serve();
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await get(url, '/');
    expect(page.status).to.equal(200);
    expect(page.body).to.include('<bdi>fare</bdi>').and.include('src="/live.js"');
    expect(page.body).not.to.match(/<script>|<style>| style=| on\w+=|https?:\/\/(?!127)/);
    expect((await get(url, '/live.css')).body).to.include('--vermilion');
    expect((await get(url, '/live.js')).headers['content-type']).to.equal('text/javascript; charset=utf-8');
    for (const path of ['/other', '/../package.json', '/constructor', '/__proto__', '//', '/live.js/']) {
      expect((await get(url, path)).status, path).to.equal(404);
    }
  });

  it('forbids to load, frame, keep or share anything', async () => {
    const { url } = await serve();
    for (const path of ['/', '/live.js', '/metrics', '/healthz', '/other']) {
      const { headers } = await get(url, path);
      expect(headers['content-security-policy'], path)
        .to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/)
        .and.include("frame-ancestors 'none'")
        .and.not.include('unsafe');
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['cache-control']).to.equal('no-store');
      expect(headers['cross-origin-resource-policy']).to.equal('same-origin');
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).to.deep.equal([]);
    }
  });

  it('can only be read', async () => {
    const { url } = await serve();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await get(url, '/', {}, method);
      expect([method, status, headers.allow]).to.deep.equal([method, 405, 'GET, HEAD']);
    }
    const { status, body } = await get(url, '/metrics', {}, 'HEAD');
    expect([status, body]).to.deep.equal([200, '']);
    expect((await get(url, '/events', {}, 'HEAD')).status).to.equal(200);
  });

  it('answers to its own names only, because any name can be made to point at it', async () => {
    const { url } = await serve();
    const { port } = new URL(url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST', 'localhost:9000']) {
      expect((await get(url, '/metrics', { Host: host })).status, host).to.equal(200);
    }
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '10.0.0.1',
      'a b',
      'localhost@evil',
    ]) {
      expect((await get(url, '/metrics', { Host: host })).status, host).to.equal(421);
    }
    const named = await serve({ hosts: ['watch.example'] });
    expect((await get(named.url, '/', { Host: 'watch.example' })).status).to.equal(200);
  });

  it('refuses what pages of others ask for, but can be visited from them', async () => {
    const { url } = await serve();
    const host = new URL(url).host;
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://localhost:1' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
    ] as Record<string, string>[]) {
      for (const path of ['/', '/events', '/metrics', '/live.js'])
        expect((await get(url, path, headers)).status, JSON.stringify(headers)).to.equal(403);
    }
    const visit = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    expect((await get(url, '/', visit)).status).to.equal(200);
    expect((await get(url, '/metrics', visit)).status).to.equal(403);
    expect((await get(url, '/metrics', { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' })).status).to.equal(
      200,
    );
  });

  it('asks other machines for a token', async () => {
    const refused = async (options: Partial<PageServerOptions>): Promise<string> =>
      serve(options).then(
        () => 'served',
        (error: Error) => error.message,
      );
    expect(await refused({ listen: '0.0.0.0:0' })).to.match(
      /listen must be an address of this machine only.*SLUICE_LISTEN_TOKEN/,
    );
    expect(await refused({ token: 'short' }))
      .to.match(/at least 16 characters, got 5/)
      .and.not.include('short;');
    expect(await refused({ listen: 'here' })).to.match(/listen must be HOST:PORT, got "here"/);
    expect(await refused({ listen: '127.0.0.1:65536' })).to.match(/HOST:PORT/);
    const { port } = new URL((await serve()).url);
    expect(await refused({ listen: `127.0.0.1:${port}` })).to.match(/another program does, so name another port/);
  });

  it('shows nothing without the token, which a header or a cookie gives', async () => {
    const { url, publish } = await serve({ listen: '0.0.0.0:0', token: WORD });
    const at = url.replace('0.0.0.0', '127.0.0.1');
    await publish(liveEstimate(3));
    const login = await get(at, '/');
    expect(login.status).to.equal(401);
    expect(login.body).to.include('type="password"').and.not.include('fare').and.not.include('nats');
    for (const path of ['/events', '/metrics', '/healthz', '/other', '/login']) {
      for (const headers of [
        {},
        { Authorization: 'Bearer wrong' },
        { Authorization: WORD },
        { Cookie: `sluice-1=${WORD}` },
      ])
        expect((await get(at, path, headers as Record<string, string>)).status, path).to.equal(401);
    }
    const bearer = { Authorization: `Bearer ${WORD}` };
    expect((await get(at, '/metrics', bearer)).status).to.equal(200);
    const { status, headers } = await get(at, '/login', bearer);
    expect(status).to.equal(204);
    const [cookie] = headers['set-cookie'] as string[];
    expect(cookie)
      .to.match(/; Path=\/; HttpOnly; SameSite=Strict; /)
      .and.not.include(WORD);
    const kept = { Cookie: `other=1; ${cookie!.split(';')[0]}` };
    for (const path of ['/', '/metrics', '/healthz']) expect((await get(at, path, kept)).status, path).to.equal(200);
    expect((await events(at, 1, kept))[0]!.data.estimate.chunk).to.equal(3);
  });

  it('tells a newcomer everything, and then every estimate as it was given', async () => {
    const { url, publish, tell } = await serve();
    tell({ progress: { rows: 5, of: 400 }, read: 5 });
    await publish(liveEstimate(0));
    await publish(liveEstimate(1));
    const reading = events(url, 3);
    await new Promise(resolve => setTimeout(resolve, 100));
    await publish(liveEstimate(2, { alarm: { chunk: 2, coefficient: 'hour' } }));
    tell({ progress: { rows: 10, of: 1000 }, problems: { source: 'The broker is away; trying again.' } });
    const [snapshot, estimate, status] = await reading;
    expect(snapshot!.kind).to.equal('snapshot');
    expect(snapshot!.data.facts).to.deep.equal(liveFacts);
    expect(snapshot!.data.history.points).to.have.length(2);
    expect(snapshot!.data.estimate.coefficients).to.deep.equal(liveEstimate(1).coefficients);
    expect(estimate!.kind).to.equal('estimate');
    expect(estimate!.data).to.deep.include(
      JSON.parse(JSON.stringify(liveEstimate(2, { alarm: { chunk: 2, coefficient: 'hour' } }))),
    );
    expect(estimate!.data.alarms).to.have.length(1);
    expect(status!.kind).to.equal('status');
    expect(status!.data.progress).to.deep.equal({ rows: 10, of: 1000 });
    expect(status!.data.problems).to.deep.equal({ source: 'The broker is away; trying again.' });
  });

  it('sends those who come back what they missed, or everything where that is not known', async () => {
    const { url, publish } = await serve();
    for (let chunk = 0; chunk < 5; chunk++) await publish(liveEstimate(chunk));
    const [{ id }] = (await events(url, 1)) as [Event];
    for (let chunk = 5; chunk < 8; chunk++) await publish(liveEstimate(chunk));
    const missed = await events(url, 3, { 'Last-Event-ID': id });
    expect(missed.map(({ kind, data }) => [kind, data.chunk])).to.deep.equal(
      [5, 6, 7].map(chunk => ['estimate', chunk]),
    );
    for (const other of ['00000000-2', `${id}9`, 'x', id.replace(/\d+$/, '99999999999999999999')]) {
      expect((await events(url, 1, { 'Last-Event-ID': other }))[0]!.kind, other).to.equal('snapshot');
    }
    for (let chunk = 8; chunk < 1000; chunk++) await publish(liveEstimate(chunk));
    expect((await events(url, 1, { 'Last-Event-ID': id }))[0]!.kind).to.equal('snapshot');
  });

  it('does not wait for a reader that does not read, which is told the latest when it does', async () => {
    const { url, publish } = await serve();
    const { port, host } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await new Promise(resolve => socket.once('data', resolve));
    socket.pause();
    const names = Array.from({ length: 200 }, (_, k) => `feature ${k}`);
    const estimates = Array.from({ length: 20 }, (_, k) => liveEstimate(k, {}, names));
    for (let k = 0; k < 1000; k++) await publish({ ...estimates[k % 20]!, chunk: k });
    // Another reader is served meanwhile.
    expect((await events(url, 1))[0]!.data.estimate.chunk).to.equal(999);
    // And when the slow one reads on, it ends up at the latest.
    let text = '';
    socket.setEncoding('utf8').on('data', part => {
      text = (text + part).slice(-200_000);
    });
    socket.resume();
    const wanted = () => text.includes('"chunk":999');
    for (let k = 0; k < 100 && !wanted(); k++) await new Promise(resolve => setTimeout(resolve, 20));
    expect(wanted()).to.equal(true);
    socket.destroy();
  });

  it('is healthy while something comes, and says what is wrong', async () => {
    const { url, tell, publish } = await serve({ staleAfter: 0.2 });
    const health = async (): Promise<readonly [number, string]> => {
      const { status, body } = await get(url, '/healthz');
      return [status, body];
    };
    expect(await health()).to.deep.equal([200, 'waiting for the pilot\n']);
    await publish(liveEstimate(1));
    expect(await health()).to.deep.equal([200, 'ok\n']);
    await new Promise(resolve => setTimeout(resolve, 250));
    expect(await health()).to.deep.equal([503, 'Nothing has come for more than 0.2 seconds.\n']);
    await publish(liveEstimate(2));
    tell({ problems: { 'model.json': 'model.json cannot be written: the disk is full.' } });
    await publish(liveEstimate(3));
    expect(await health()).to.deep.equal([503, 'model.json cannot be written: the disk is full.\n']);
    tell({ problems: { 'model.json': null } });
    await publish(liveEstimate(4));
    expect(await health()).to.deep.equal([200, 'ok\n']);
  });

  it('shows of a private run what was released and what is public, on whole seconds', async () => {
    const { url, publish, tell } = await serve({ facts: privateFacts });
    const reading = events(url, 2);
    await new Promise(resolve => setTimeout(resolve, 50));
    await publish(privateEstimate(7));
    tell({ progress: { rows: 3, of: 1000 }, deadLetters: 5 });
    const all = await reading;
    const when = Date.now() % 1000;
    expect(Math.min(when, 1000 - when), 'milliseconds from a whole second').to.be.below(400);
    const text = JSON.stringify(all);
    expect(all.find(({ kind }) => kind === 'estimate')!.data.privacy.epsilon).to.equal(1);
    for (const raw of ['"used":8000', '"progressiveError":{', '"deadLetters":12', '"deadLetters":5'])
      expect(text).not.to.include(raw);
    const metrics = (await get(url, '/metrics')).body;
    expect(metrics).to.include('sluice_privacy_epsilon 1\n').and.include('sluice_coefficient{name="hour"}');
    expect(metrics).not.to.match(/dead_letters|progressive|rows_used/);
    expect((await get(url, '/')).body).not.to.match(/id="(dead-letters|progressive|errors)"/);
  });

  it('tells the latest before it closes', async () => {
    const { url, publish, tell, close } = await serve({ facts: privateFacts });
    const reading = events(url, 2);
    await new Promise(resolve => setTimeout(resolve, 50));
    await publish(privateEstimate(1));
    tell({ phase: 'ended' });
    await close();
    expect((await reading).at(-1)!.data.status?.phase ?? (await reading).at(-1)!.data.phase).to.equal('ended');
    open.pop();
  });
});
