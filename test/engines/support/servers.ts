import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answers,
  freePort,
  installed,
  runInstaller,
  type ServerProcess,
  serverProcess,
  storeFolder,
} from '../../streams/support/serverProcess.ts';

const SPARK = '4.3.0';
const SAIL = '0.7.2';
const PYTHON = 'install Python 3 with venv and pip, by which the server comes';

/** A virtual environment with one package of PyPI. Sail refuses one that has pyspark too. */
const environment = (name: string, requirement: string): string =>
  installed(name, folder => {
    runInstaller('python3', ['-m', 'venv', folder], PYTHON);
    runInstaller(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', requirement], PYTHON);
  });

export interface EngineServer extends ServerProcess {
  readonly url: string;
}

/**
 * Spark on this machine with two executors, each a process of its own of one core and 1 GB. It needs a JDK of 17 or newer.
 */
export async function sparkServer(): Promise<EngineServer & { executors(): readonly number[] }> {
  const place = environment(`pyspark-${SPARK}`, `pyspark==${SPARK}`);
  const libraries = join(place, 'lib');
  const home = join(libraries, readdirSync(libraries)[0]!, 'site-packages', 'pyspark');
  const port = await freePort();
  const folder = storeFolder('spark');
  const settings = {
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': String(port),
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.driver.host': '127.0.0.1',
    'spark.driver.memory': '1g',
    'spark.ui.enabled': 'false',
    'spark.local.dir': folder,
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.worker.dir': join(folder, 'work'),
  };
  const server = serverProcess({
    name: 'Spark',
    port,
    program: 'env',
    args: [
      `SPARK_HOME=${home}`,
      'SPARK_LOCAL_IP=127.0.0.1',
      `SPARK_WORKER_DIR=${join(folder, 'work')}`,
      join(home, 'bin', 'spark-submit'),
      ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer'],
      ...['--master', 'local-cluster[2,1,1024]'],
      ...Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
      'spark-internal',
    ],
    folder,
    isReady: () => answers(port),
  });
  await server.start();
  return {
    ...server,
    url: `sc://127.0.0.1:${port}`,
    // Executors are given the settings of their driver, and only this server listens at that port.
    executors: () =>
      execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
        .split('\n')
        .filter(line => line.includes('CoarseGrainedExecutorBackend') && line.includes(`binding.port=${port} `))
        .map(line => Number(line.trim().split(/\s+/)[0])),
  };
}

/** Sail, which speaks Spark Connect and is not Spark. */
export async function sailServer(): Promise<EngineServer> {
  const place = environment(`pysail-${SAIL}`, `pysail==${SAIL}`);
  const port = await freePort();
  const server = serverProcess({
    name: 'Sail',
    port,
    // Not by its script, which names the folder that it was installed in before that was renamed.
    program: join(place, 'bin', 'python'),
    args: ['-m', 'pysail', 'spark', 'server', '--ip', '127.0.0.1', '--port', String(port)],
    folder: storeFolder('sail'),
    isReady: () => answers(port),
  });
  await server.start();
  return { ...server, url: `sc://127.0.0.1:${port}` };
}

/** What a server has written, for messages. */
export const logOf = ({ folder }: ServerProcess): string => readFileSync(join(folder, 'log.txt'), 'utf8').slice(-4000);
