import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  const folder = process.env[BUNDLED_CLI];
  if (folder === undefined) {
    throw new Error('the command line is not bundled; run mocha with --require=./test/support/bundledCli.ts');
  }
  return [join(folder, 'main.js')];
}

/** Runs `sluice` in a process of its own. */
export function runCli(args: readonly string[], input?: string | Uint8Array, program = bundleOfCli()): Promise<CliRun> {
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
