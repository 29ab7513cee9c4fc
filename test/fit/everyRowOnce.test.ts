import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table as ArrowTable, Float64, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm/node';
import { blockSummer } from '../../src/engine/kernel/blockSummer.ts';
import { type FitRowsOptions, fitRows } from '../../src/fit/fitRows.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { openRows } from '../../src/source/read/openRows.ts';
import type { TableSamples } from '../../src/source/read/tableSamples.ts';

const rows = 5003;

/**
 * Labels count from 1, because a row that is skipped holds zeros. The code of a label tells whether a row stayed
 * together.
 */
const codeOf = (label: number): number => (label * 7919) % 10_007;
const isHole = (label: number): boolean => label % 17 === 3;

type Cells = readonly (number | null)[];
const writers: Readonly<Record<string, (columns: Readonly<Record<string, Cells>>) => string | Uint8Array>> = {
  arrow: columns => tableToIPC(arrowTable(columns, 600), 'file'),
  parquet: columns => {
    const properties = new WriterPropertiesBuilder().setMaxRowGroupSize(700).build();
    return writeParquet(WasmTable.fromIPCStream(tableToIPC(arrowTable(columns), 'stream')), properties);
  },
  csv: columns => {
    const names = Object.keys(columns);
    const lines = columns['label']!.map((_, i) => names.map(name => columns[name]![i] ?? '').join(','));
    return [names.join(','), ...lines, ''].join('\n');
  },
};

function arrowTable(columns: Readonly<Record<string, Cells>>, batchRows = Infinity): ArrowTable {
  const vectors = Object.entries(columns).map(([name, cells]) => [name, vectorFromArray(cells, new Float64())]);
  const whole = new ArrowTable(Object.fromEntries(vectors));
  const batches = [];
  for (let from = 0; from < whole.numRows; from += batchRows)
    batches.push(...whole.slice(from, from + batchRows).batches);
  return new ArrowTable(whole.schema, batches);
}

/** Columns of the labels [from, to), with holes in the code or without. */
function columnsOf(from: number, to: number, holes: boolean): Record<string, Cells> {
  const label = Array.from({ length: to - from }, (_, i) => from + i);
  return { code: label.map(own => (holes && isHole(own) ? null : codeOf(own))), label };
}

/**
 * Estimates with a loss and a kernel that take down the labels of the pilot's rows and of those in the blocks of each
 * step.
 */
async function watch(samples: TableSamples, options: FitRowsOptions) {
  const asked: number[] = [];
  const steps: number[][] = [];
  let isPlanned = false;
  const { kernel: _, ...squared } = lossByName('squared').loss;
  const found = await fitRows(samples, {
    ...options,
    loss: {
      ...lossByName('squared'),
      loss: {
        ...squared,
        slope: (score, target) => {
          // At these scores the slope is compared with that of the known loss, before any row is read.
          if (!isPlanned && ![-0.3, -1, -4].includes(score)) asked.push(target);
          return squared.slope(score, target);
        },
      },
    },
    onPlan: () => {
      isPlanned = true;
    },
    kernel: request => {
      const inner = blockSummer(request);
      const labels: number[] = [];
      steps.push(labels);
      return {
        ...inner,
        add: batch => {
          const used = inner.add(batch);
          for (let i = 0; i < used; i++) {
            const label = batch.target[i]!;
            expect(batch.columns[0]![i]).to.equal(codeOf(label));
            expect(batch.weights?.[i] ?? 1).to.equal(label === 0 ? 0 : 1);
            labels.push(label);
          }
          return used;
        },
      };
    },
  });
  // The pilot asks for the slope of each of its rows that count equally often.
  const {
    rows: { positiveWeight: positiveWeightRows },
  } = found.pilot!;
  const times = asked.length / positiveWeightRows;
  const pilot = asked.toSorted((a, b) => a - b).filter((_, k) => k % times === 0);
  return { ...found, pilot, positiveWeightRows, steps };
}

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

describe('every row', () => {
  let folder: string;
  const sources = ['arrow', 'parquet', 'csv', 'files'] as const;
  const pathsOf = (source: (typeof sources)[number], holes: boolean): string[] => {
    const name = holes ? 'holes' : 'whole';
    return source === 'files'
      ? Object.keys(writers).map(format => join(folder, `${name} part.${format}`))
      : [join(folder, `${name}.${source}`)];
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-once-'));
    for (const holes of [false, true]) {
      Object.entries(writers).forEach(([format, write], k) => {
        const name = holes ? 'holes' : 'whole';
        writeFileSync(join(folder, `${name}.${format}`), write(columnsOf(1, rows + 1, holes)));
        const [from, to] = [k, k + 1].map(third => 1 + Math.floor((third * rows) / 3));
        writeFileSync(join(folder, `${name} part.${format}`), write(columnsOf(from!, to!, holes)));
      });
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const orders: Readonly<Record<string, FitRowsOptions>> = {
    'as they come': { order: 'as-is' },
    'shuffled in memory': { order: 'shuffle', orderSeed: '1' },
    'shuffled through a file': { order: 'shuffle', orderSeed: '1', memoryBytes: 0 },
  };
  for (const schedule of ['uniform', 'geometric'] as const) {
    for (const [order, options] of Object.entries(orders)) {
      it(`is used at most once, and counted, in ${schedule} chunks of rows ${order}`, async () => {
        for (const source of sources) {
          for (const holes of [false, true]) {
            const samples = await openRows(pathsOf(source, holes), {
              target: 'label',
              features: ['code'],
              nulls: holes ? 'skip' : 'error',
              batchRows: 777,
            });
            const settings = { ...options, schedule, mode: 'fresh', steps: 4, blocks: 7 } as const;
            const { fit, layout, pilot, positiveWeightRows, steps } = await watch(samples, settings).finally(
              samples.close,
            );

            const seen = [...pilot, ...steps.flat()];
            const labels = seen.filter(label => label !== 0);
            const known = new Set(columnsOf(1, rows + 1, false)['label']!.filter(own => !holes || !isHole(own!)));
            expect(new Set(labels).size, 'labels that differ').to.equal(labels.length);
            expect(labels.every(label => known.has(label))).to.equal(true);

            expect(samples.rows).to.equal(rows);
            expect(pilot).to.have.length(positiveWeightRows);
            if (!holes) expect(positiveWeightRows).to.equal(layout.pilotRows);
            expect(steps.map(step => step.length)).to.deep.equal(fit.steps.map(step => step.rows));
            expect(total(steps.map(step => step.length))).to.equal(fit.rows.used);
            expect(layout.pilotRows + fit.rows.used + fit.rows.leftOver).to.equal(rows);
            expect(layout.pilotRows).to.be.above(0);
            expect(fit.rows.leftOver).to.be.above(0);

            const invalid = holes ? rows - known.size : 0;
            expect(samples.tally.invalid).to.be.within(0, invalid);
            const passedOver = layout.pilotRows - positiveWeightRows + seen.length - labels.length;
            expect(passedOver).to.be.within(invalid - fit.rows.leftOver, invalid);
            // A shuffle reads every row before the first step.
            if (order !== 'as they come') {
              expect(samples.tally).to.deep.equal({ read: rows, invalid });
              expect(pilot.at(-1)).to.be.above(layout.pilotRows);
            }
          }
        }
      });
    }
  }
});
