/**
 * One reading of one file by one contender, in a process of its own, for readers.ts: prints the seconds, the processor
 * time and the peak memory as JSON, and the sums of all columns, which must be the same for every contender.
 */
import { argv, cpuUsage, resourceUsage } from 'node:process';
import { contenders } from './contenders.ts';

const [, , dist, name, format, path] = argv;
const contender = contenders(dist!).find(each => each.name === name && each.format === format)!;
const read = await contender.load();

const sums = new Map<string, number>();
let doubles = new Float64Array(2 ** 17);

/** Cells as a fit would take them: doubles as they are, anything else converted. */
function column(key: string, cells: ArrayLike<unknown>, missing?: Uint8Array): void {
  const { length } = cells;
  let values: Float64Array;
  if (cells instanceof Float64Array) values = cells;
  else {
    if (doubles.length < length) doubles = new Float64Array(length);
    values = doubles;
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
    peak: resourceUsage().maxRSS * 1024,
    sums: [...sums].sort().map(([, sum]) => sum),
  }),
);
