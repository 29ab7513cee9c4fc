import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLED_CLI } from './bundledCli.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What Node is given to run `sluice` from its sources. */
export const sourcesOfCli: readonly string[] = ['--import=tsx', join(project, 'src/cli/main.ts')];

/** What Node is given to run `sluice` as its sources are bundled for this run of tests. */
export function bundleOfCli(): readonly string[] {
  return [join(bundleFolder(), 'main.js')];
}

function bundleFolder(): string {
  const folder = process.env[BUNDLED_CLI];
  if (folder === undefined) {
    throw new Error('the command line is not bundled; run mocha with --require=./test/support/bundledCli.ts');
  }
  return folder;
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Runs `sluice` as it is bundled, in this process, which spares a start and cold code. It writes to the process's own
 * streams, so one run waits for another. What concerns the process itself, such as its end, is tested by `spawnCli`.
 */
export function runCli(args: readonly string[], input: string | Uint8Array = ''): Promise<CliRun> {
  const run = queue.then(() => runHere(args, input));
  queue = run.catch(() => {});
  return run;
}

async function runHere(args: readonly string[], input: string | Uint8Array): Promise<CliRun> {
  const folder = bundleFolder();
  const program = readdirSync(folder).find(name => /^program-\w+\.js$/.test(name))!;
  const { run } = await import(pathToFileURL(join(folder, program)).href);
  const texts = { stdout: '', stderr: '' };
  const textTo = (name: keyof typeof texts): Writable =>
    new Writable({
      decodeStrings: false,
      write(part: string | Uint8Array, _, done) {
        texts[name] += typeof part === 'string' ? part : Buffer.from(part).toString();
        done();
      },
    });
  const ours = {
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout: textTo('stdout'),
    stderr: textTo('stderr'),
  };
  const theirs = Object.getOwnPropertyDescriptors(process);
  const { exitCode } = process;
  for (const [name, value] of Object.entries(ours)) Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  try {
    await run(args);
    return { code: Number(process.exitCode ?? 0), ...texts };
  } finally {
    process.exitCode = exitCode;
    for (const name of Object.keys(ours)) Object.defineProperty(process, name, theirs[name as keyof typeof ours]!);
  }
}

/** Runs `sluice` in a process of its own. */
export function spawnCli(
  args: readonly string[],
  input?: string | Uint8Array,
  program = bundleOfCli(),
): Promise<CliRun> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...program, ...args], { cwd: project });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', part => {
      texts.stdout += part;
    });
    child.stderr.on('data', part => {
      texts.stderr += part;
    });
    child.on('error', fail);
    child.on('close', code => done({ code, ...texts }));
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}
