/**
 * One reading of one file by one contender, in a process of its own, for readers.ts: prints the seconds, the processor
 * time and the peak memory as JSON, and the sums of all columns, which must be the same for every contender.
 */
import { existsSync, readFileSync } from 'node:fs';
import { argv, cpuUsage, resourceUsage } from 'node:process';
import { contenders } from './contenders.ts';

const [, , dist, name, format, path] = argv;
const contender = contenders(dist!).find(each => each.name === name && each.format === format)!;
const read = await contender.load();

const sums = new Map<string, number>();
let doubles = new Float64Array(2 ** 17);

/** Cells where a kernel needs them: doubles in memory that is used again. */
function column(key: string, cells: ArrayLike<unknown>, missing?: Uint8Array): void {
  const { length } = cells;
  if (doubles.length < length) doubles = new Float64Array(length);
  let values = doubles;
  if (cells instanceof Float64Array) {
    if (contender.fills) values = cells as typeof doubles;
    else values.set(cells);
  } else {
    for (let i = 0; i < length; i++) values[i] = Number(cells[i]);
  }
  let sum = sums.get(key) ?? 0;
  for (let i = 0; i < length; i++) if (missing === undefined || missing[i] === 0) sum += values[i]!;
  sums.set(key, sum);
}

const [begun, used] = [performance.now(), cpuUsage()];
await read(path!, { wanted: [], column });
const seconds = (performance.now() - begun) / 1000;
const { user, system } = cpuUsage(used);
console.log(
  JSON.stringify({
    seconds,
    processor: (user + system) / 1e6,
    peak: peakKilobytes() * 1024,
    sums: [...sums].sort().map(([, sum]) => sum),
  }),
);

/** On Linux, the usage of resources begins with the peak of the process that started this one. */
function peakKilobytes(): number {
  const status = '/proc/self/status';
  if (!existsSync(status)) return resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))![1]);
}
