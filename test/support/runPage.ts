import { execFile } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** What a page of pipelines/ prints, run from its sources in a process of its own. */
export async function runPage(name: string, ...args: string[]): Promise<string> {
  const program = ['--import=tsx', join('pipelines', name), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: project });
  return stdout;
}

const tables = new Map<string, Promise<Map<string, number>>>();

/** The table that a page prints for one seed: medians by series and x. It runs once, whoever asks for its table. */
export function tableOfPage(name: string): Promise<Map<string, number>> {
  const table = tables.get(name) ?? printedTable(name);
  tables.set(name, table);
  return table;
}

async function printedTable(name: string): Promise<Map<string, number>> {
  return new Map(
    (await runPage(name, '1'))
      .trimEnd()
      .split('\n')
      // The first line says what the columns are.
      .slice(1)
      .map(line => /^(.*?) +(\d+) +(-?[\d.]+)/.exec(line)!)
      .map(([, series, x, median]) => [`${series} at ${x}`, Number(median)]),
  );
}
