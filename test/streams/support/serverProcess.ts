import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Installed servers, kept between runs; git ignores the folder. */
const INSTALLED = resolve(dirname(fileURLToPath(import.meta.url)), '../../../out/servers');

/**
 * The folder of an installed server. Another process may install it at the same time: each installs into a folder of
 * its own, and the first one's is kept.
 */
export function installed(name: string, install: (folder: string) => void): string {
  const folder = join(INSTALLED, name);
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLED, { recursive: true });
  const own = mkdtempSync(join(INSTALLED, 'installing-'));
  install(own);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return folder;
}

/** Runs a program that installs something; `needs` says what the machine lacks if there is no such program. */
export function runInstaller(program: string, args: readonly string[], needs: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`${program} is missing; ${needs}`);
    throw new Error(`${program} ${args.join(' ')} failed: ${(error as { stderr?: Buffer }).stderr}`);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A server of this test, on loopback. It can be ended and started again on the same store and port. */
export interface ServerProcess {
  readonly folder: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends the process by the signal and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** SIGSTOP and SIGCONT: a server that is there and says nothing. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the process and removes its files. */
  remove(): Promise<void>;
}

interface ServerOptions {
  readonly name: string;
  readonly port: number;
  readonly program: string;
  readonly args: readonly string[];
  /** Where the server keeps what it has; made by the caller. */
  readonly folder: string;
  /** Resolves once the server answers at its port. */
  readonly isReady: () => Promise<boolean>;
}

/** The longest that a server may take to start, in ms: Kafka takes 17 s on an idle machine. */
const PATIENCE = 120_000;

export function serverProcess({ name, port, program, args, folder, isReady }: ServerOptions): ServerProcess {
  let child: ChildProcess | undefined;
  const log = join(folder, 'log.txt');
  const kill = (): void => void child?.kill('SIGKILL');
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child === undefined) return;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill(signal);
    await gone;
    child = undefined;
    process.off('exit', kill);
  };
  return {
    folder,
    port,
    start: async () => {
      const output = openSync(log, 'a');
      child = spawn(program, args, { stdio: ['ignore', output, output] });
      closeSync(output);
      process.on('exit', kill);
      const until = Date.now() + PATIENCE;
      while (!(await isReady().catch(() => false))) {
        if (child.exitCode !== null || Date.now() > until)
          throw new Error(`${name} did not start: ${readFileSync(log, 'utf8').slice(-2000)}`);
        await setTimeout(50);
      }
    },
    end,
    signal: signal => void child?.kill(signal),
    remove: async () => {
      child?.kill('SIGCONT');
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const storeFolder = (name: string): string => mkdtempSync(join(tmpdir(), `sluice-${name}-`));

/** Whether something listens at the port and, if it speaks first, begins with the given word. */
export async function answers(port: number, word?: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [said] = await once(socket, word === undefined ? 'connect' : 'data');
    return word === undefined || String(said).startsWith(word);
  } finally {
    socket.destroy();
  }
}
