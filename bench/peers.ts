/** A Python with the packages that peers need, in its own folder under the system's temporary one. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function pythonWith(packages: readonly string[]): string {
  const home = join(tmpdir(), 'sluice-bench-python');
  const python = join(home, 'bin', 'python');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', home], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages], {
    stdio: 'inherit',
  });
  return python;
}
