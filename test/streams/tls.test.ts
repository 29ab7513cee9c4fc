/** NATS over TLS, with an authority of this test's own: nothing but what the environment names is trusted. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { bundleOfCli } from '../support/runCli.ts';
import { labelledRow } from './support/labelledRows.ts';
import { type NatsServer, natsServer } from './support/natsServer.ts';
import { natsTools } from './support/natsStreams.ts';

const ROWS = 1000;

describe('sluice watch on NATS over TLS', () => {
  let folder: string;
  let server: NatsServer;
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
    for (const ca of ['ca', 'other'])
      openssl(
        'req',
        '-x509',
        ...newKey,
        '-keyout',
        `${ca}.key`,
        '-out',
        `${ca}.pem`,
        '-days',
        '2',
        '-subj',
        `/CN=${ca}`,
      );
    writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    for (const name of ['server', 'client']) {
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
      openssl('x509', '-req', '-in', `${name}.csr`, ...signer, '-out', `${name}.pem`);
    }
    server = await natsServer(
      `tls { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}", ca_file: "${at('ca.pem')}", verify: true }\n` +
        'authorization { user: me, password: "s3cret-pass" }',
    );
    const [ca, cert, key] = ['ca.pem', 'client.pem', 'client.key'].map(name => readFileSync(at(name), 'utf8'));
    const tools = await natsTools(server.port, {
      tls: { ca: ca!, cert: cert!, key: key! },
      user: 'me',
      pass: 's3cret-pass',
    });
    await tools.make('rows');
    await tools.publish(
      'rows.x',
      Array.from({ length: ROWS }, (_, i) => labelledRow(i)),
    );
    await tools.close();
    writeFileSync(at('password'), 's3cret-pass\n');
  });
  after(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true });
  });

  const right = (): Record<string, string> => ({
    SLUICE_NATS_USER: 'me',
    SLUICE_NATS_PASSWORD_FILE: at('password'),
    SLUICE_NATS_CA_FILE: at('ca.pem'),
    SLUICE_NATS_CERT_FILE: at('client.pem'),
    SLUICE_NATS_KEY_FILE: at('client.key'),
  });

  const watch = (environment: Record<string, string>, ...more: readonly string[]) =>
    new Promise<{ code: number | null; said: string }>((done, fail) => {
      const args = ['watch', `${server.url}/rows`, '--target', 'y', '--chunk', '500', '--until-rows', String(ROWS)];
      const child = spawn(process.execPath, [...bundleOfCli(), ...args, ...more], {
        env: { PATH: process.env.PATH, ...environment },
      });
      let said = '';
      for (const output of [child.stdout, child.stderr])
        output.on('data', part => {
          said += part;
        });
      child.on('error', fail);
      child.on('close', code => done({ code, said }));
    });
  const secrets = (): readonly string[] => ['s3cret-pass', readFileSync(at('client.key'), 'utf8').split('\n')[1]!];

  it('reads with certificates and a password from files, and shows none of them', async () => {
    const { code, said } = await watch(right(), '--checkpoint', at('state'), '--out', at('model.json'));
    expect(code, said).to.equal(0);
    expect(JSON.parse(readFileSync(at('model.json'), 'utf8')).rows.used).to.equal(ROWS);
    const kept = ['model.json', 'state/checkpoint.json'].map(name => readFileSync(at(name), 'utf8'));
    for (const text of [said, ...kept]) for (const secret of secrets()) expect(text).to.not.include(secret);
  });

  it('reads with them from the environment itself', async () => {
    const texts = Object.entries(right()).map(([name, value]) =>
      name.endsWith('_FILE') ? [name.slice(0, -5), readFileSync(value, 'utf8').trim()] : [name, value],
    );
    const { code, said } = await watch(Object.fromEntries(texts));
    expect(code, said).to.equal(0);
    for (const secret of secrets()) expect(said).to.not.include(secret);
  });

  it('refuses a server whose certificate another authority signed, and one that it is not known to', async () => {
    const wrong: readonly Record<string, string | undefined>[] = [
      { SLUICE_NATS_CA_FILE: at('other.pem') },
      { SLUICE_NATS_CA_FILE: undefined, SLUICE_NATS_TLS: 'on' },
      { SLUICE_NATS_CERT_FILE: undefined, SLUICE_NATS_KEY_FILE: undefined },
    ];
    for (const change of wrong) {
      const given = Object.entries({ ...right(), ...change }).filter(([, value]) => value !== undefined);
      const { code, said } = await watch(Object.fromEntries(given) as Record<string, string>);
      expect(code, said).to.equal(2);
      expect(said, JSON.stringify(change)).to.match(/cannot be reached/);
      for (const secret of secrets()) expect(said).to.not.include(secret);
    }
  });
});
