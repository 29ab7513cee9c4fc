/** The tables of `npm run bench` and `bench:figures`, from results.json. */
import { digits, table, whole } from './tables.ts';

interface Measured {
  readonly measured: string;
}
type Numbers = Readonly<Record<string, number>>;

/** The part of results.json that is shown. */
export interface Speed {
  readonly endToEnd: Measured & {
    readonly machine: string;
    readonly rows: number;
    readonly rounds: number;
    readonly table: readonly {
      readonly name: string;
      readonly seconds: number;
      readonly spread: number;
      readonly rowsPerSecond: number;
      readonly peakMegabytes: number;
    }[];
    readonly ratios: Numbers;
  };
  readonly memory: {
    readonly table: readonly {
      readonly rows: number;
      readonly asIsMegabytes: number;
      readonly shuffledMegabytes: number;
    }[];
  };
  readonly 'kernel, large': Kernel<{ readonly features: number; readonly gigabytesPerSecond: Numbers }>;
  readonly 'kernel, small': Kernel<{ readonly blocks: number; readonly thousandCallsPerSecond: Numbers }>;
  readonly figures: Measured & { readonly seeds: number } & Readonly<Record<string, Figure | string | number>>;
}

interface Kernel<T> {
  readonly table: readonly (T & { readonly loss: string })[];
}
interface Figure {
  readonly seeds: number;
  readonly processorSeconds: number;
  readonly numpyProcessorSeconds: number;
  readonly numpyOverOurs: number;
}

export const speedTables = (speed: Speed): string =>
  [filesTable(speed), memoryTable(speed), kernelTables(speed), figuresTable(speed)].join('\n\n');

const filesTable = ({ endToEnd }: Speed): string => `### From a file to sums, and to a fit

${whole(endToEnd.rows)} rows of 20 features, medians of ${endToEnd.rounds} rounds, measured ${endToEnd.measured} on ${endToEnd.machine}.

${table(
  ['what', 'seconds', 'spread', 'M rows/s', 'peak MB'],
  endToEnd.table.map(row => [
    row.name,
    digits(row.seconds),
    digits(row.spread),
    digits(row.rowsPerSecond / 1e6),
    whole(row.peakMegabytes),
  ]),
)}

${table(
  ['speed of one / speed of the other', 'ratio'],
  Object.entries(endToEnd.ratios).map(([name, ratio]) => [name, digits(ratio)]),
)}`;

const memoryTable = ({ memory }: Speed): string => `### Peak memory by number of rows

${table(
  ['rows', 'in file order, MB', 'shuffled, MB'],
  memory.table.map(row => [whole(row.rows), whole(row.asIsMegabytes), whole(row.shuffledMegabytes)]),
)}`;

const kernelTables = (speed: Speed): string => {
  const [large, small] = [speed['kernel, large'].table, speed['kernel, small'].table];
  const rates = Object.keys(large[0]!.gigabytesPerSecond);
  const calls = Object.keys(small[0]!.thousandCallsPerSecond);
  return `### The kernel

Columns out of cache, GB/s: reading memory, one and two threads of the kernel, numpy as usually written and tiled to fit the cache, plain TypeScript.

${table(
  ['features', 'loss', ...rates],
  large.map(row => [String(row.features), row.loss, ...rates.map(name => digits(row.gigabytesPerSecond[name]))]),
)}

Chunks of 1,000 rows of 10 features, thousand calls per second.

${table(
  ['blocks', 'loss', ...calls],
  small.map(row => [String(row.blocks), row.loss, ...calls.map(name => digits(row.thousandCallsPerSecond[name]))]),
)}`;
};

const figuresTable = ({ figures }: Speed): string => `### Figures of the paper

Processor time of one process, data included, medians of three rounds, measured ${figures.measured}.

${table(
  ['figure', 'seeds', 'processor seconds', 'numpy', 'numpy / ours'],
  Object.entries(figures).flatMap(([name, found]) =>
    typeof found === 'object'
      ? [
          [
            name,
            String(found.seeds),
            digits(found.processorSeconds),
            digits(found.numpyProcessorSeconds),
            digits(found.numpyOverOurs),
          ],
        ]
      : [],
  ),
)}`;
