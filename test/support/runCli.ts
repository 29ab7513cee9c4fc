import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `sluice` from its sources in a process of its own. */
export function runCli(args: readonly string[], input?: string | Uint8Array): Promise<CliRun> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--import=tsx', join(project, 'src/cli/main.ts'), ...args], {
      cwd: project,
    });
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
