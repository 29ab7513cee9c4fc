/**
 * What npm runs after `npm ci`, and before it packs: the build. For a command of the checkout itself, npx first links
 * the checkout into its cache, and runs this once more for that; `npm ci` ends with it, so that nobody waits later.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const { npm_command: command, npm_execpath: npm } = env;

// What npx links is built, or it would have built it when it was linked first.
if (command !== 'exec' || !existsSync(`${project}/dist/cli/main.js`)) run('run', 'build');
if (command === 'ci' || command === 'install') {
  try {
    run('exec', '--', 'sluice', '--version');
  } catch {
    // Then the first npx links it.
  }
}

/** Runs npm as it was run. On Windows its command is a script that could not be started without a shell. */
function run(...args: readonly string[]): void {
  if (npm === undefined) throw new Error('tools/prepare.ts is run by npm: npm run prepare');
  execFileSync(execPath, [npm, ...args], { cwd: project, stdio: 'inherit' });
}
