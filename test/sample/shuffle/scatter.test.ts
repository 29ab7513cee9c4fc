import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DataError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { requireScratch, scatter } from '../../../src/sample/shuffle/scatter.ts';
import { labelledSamples, labelsOf } from '../../support/labelledSamples.ts';

const inMemory = 2 ** 40;
const onDisk = 0;

describe('scatter', () => {
  let scratch: string;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'sluice-scatter-test-'));
  });
  after(() => rm(scratch, { recursive: true }));

  it('hands out every row once, in memory and on disk alike, whatever the batches', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 9 }), async (batchSizes, cellCount) => {
        const rows = labelledSamples(batchSizes).rows;
        fc.pre(rows >= cellCount);
        const size = Math.floor(rows / cellCount);
        const cells = [...Array.from({ length: cellCount - 1 }, () => size), rows - (cellCount - 1) * size];
        const orders: number[][] = [];
        for (const memoryBytes of [inMemory, onDisk]) {
          const random = seeded('order', 'scatter');
          const scattered = scatter(labelledSamples(batchSizes), { cells, random, memoryBytes, scratch });
          orders.push(await labelsOf(scattered.batches()));
          expect(await labelsOf(scattered.batches())).to.deep.equal(orders.at(-1));
          await scattered.close();
        }
        expect(orders[0]).to.deep.equal(orders[1]);
        expect([...orders[0]!].sort((a, b) => a - b)).to.deep.equal(Array.from({ length: rows }, (_, i) => i));
        let start = 0;
        for (const cell of cells) {
          const own = orders[0]!.slice(start, start + cell);
          expect(own).to.deep.equal([...own].sort((a, b) => a - b));
          start += cell;
        }
      }),
      { seed: 3, numRuns: 25 },
    );
  });

  it('takes the rows of a batch alone where its memory holds more', async () => {
    const memory = Float64Array.from({ length: 10 }, (_, i) => i);
    const borrowed = {
      ...labelledSamples([10, 6]),
      async *batches() {
        yield { rows: 10, columns: [memory.slice()], target: memory.slice() };
        // In the memory of the first, whose last rows are still there.
        const next = memory.map(label => (label < 6 ? 10 + label : label));
        yield { rows: 6, columns: [next], target: next };
      },
    };
    for (const memoryBytes of [inMemory, onDisk]) {
      const random = seeded('order', 'scatter');
      const scattered = scatter(borrowed, { cells: [9, 7], random, memoryBytes, scratch });
      const labels = await labelsOf(scattered.batches());
      expect(labels.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 16 }, (_, i) => i));
      await scattered.close();
    }
  });

  it('sends rows to cells by the seed, and never by what they hold', async () => {
    const order = async (seed: number): Promise<number[]> => {
      const random = seeded(seed, 'scatter');
      return labelsOf(scatter(labelledSamples([500, 500]), { cells: [300, 700], random }).batches());
    };
    expect(await order(1)).to.deep.equal(await order(1));
    expect(await order(1)).to.not.deep.equal(await order(2));
    const [first] = [(await order(1)).slice(0, 300)];
    expect(first.filter(label => label < 500).length).to.be.within(110, 190);
  });

  it('leaves no file behind, neither while it works nor after', async () => {
    const scattered = scatter(labelledSamples([5000]), {
      cells: [2500, 2500],
      random: seeded(1, 'x'),
      memoryBytes: onDisk,
      scratch,
    });
    for await (const _ of scattered.batches()) expect(readdirSync(scratch)).to.deep.equal([]);
    await scattered.close();
    expect(readdirSync(scratch)).to.deep.equal([]);
  });

  it('carries weights along', async () => {
    const plain = labelledSamples([300]);
    const weighted = {
      ...plain,
      weighted: true,
      async *batches() {
        for await (const batch of plain.batches()) yield { ...batch, weights: batch.target.map(label => label * 2) };
      },
    };
    for (const memoryBytes of [inMemory, onDisk]) {
      const cells = scatter(weighted, { cells: [100, 200], random: seeded(1, 'x'), memoryBytes, scratch });
      for await (const { target, weights } of cells.batches()) {
        expect([...weights!]).to.deep.equal([...target.map(label => label * 2)]);
      }
      await cells.close();
    }
  });

  it('has weights only if a batch had some, and then 1 for the rows of the others', async () => {
    const plain = labelledSamples([120, 180]);
    for (const memoryBytes of [inMemory, onDisk]) {
      for (const first of [undefined, new Float64Array(120).fill(3)]) {
        const mayHave = {
          ...plain,
          weighted: true,
          async *batches() {
            let weights = first;
            for await (const batch of plain.batches()) {
              yield { ...batch, ...(weights && { weights }) };
              weights = undefined;
            }
          },
        };
        const cells = scatter(mayHave, { cells: [100, 200], random: seeded(1, 'x'), memoryBytes, scratch });
        const found: (number | undefined)[] = [];
        for await (const { rows, weights } of cells.batches()) for (let i = 0; i < rows; i++) found.push(weights?.[i]);
        expect(found).to.have.length(300);
        if (first === undefined) expect(new Set(found)).to.deep.equal(new Set([undefined]));
        else expect(found.map(weight => weight ?? 0).sort()).to.deep.equal([...Array(180).fill(1), ...first]);
        await cells.close();
      }
    }
  });

  it('closes its temporary file when the source fails', async () => {
    const failing = labelledSamples([2000, 2000], 2000);
    const scattered = scatter(failing, {
      cells: [4000],
      random: seeded(1, 'x'),
      memoryBytes: onDisk,
      scratch,
    });
    const error = await labelsOf(scattered.batches()).catch(caught => caught);
    expect(error.message).to.equal('the disk is gone');
    expect(failing.open()).to.equal(0);
    await scattered.close();
  });

  it('refuses cells that do not add up to the rows, and a folder without room', async () => {
    expect(() => scatter(labelledSamples([10]), { cells: [4, 5], random: seeded(1, 'x') })).to.throw(
      'the sum of cells must',
    );
    const huge = { ...labelledSamples([10]), rows: 2 ** 45 };
    const scattered = scatter(huge, { cells: [2 ** 45], random: seeded(1, 'x'), scratch });
    const error = await labelsOf(scattered.batches()).catch(caught => caught);
    expect(error.message).to.include('bytes free, but shuffling needs');
  });

  it('refuses weights in rows that are said to have none, in memory and on disk', async () => {
    const source = labelledSamples([5]);
    const weighted = {
      ...source,
      async *batches() {
        for await (const batch of source.batches()) yield { ...batch, weights: new Float64Array(5) };
      },
    };
    for (const memoryBytes of [inMemory, onDisk]) {
      const scattered = scatter(weighted, { cells: [5], random: seeded(1, 'x'), memoryBytes, scratch });
      const error = await labelsOf(scattered.batches()).catch(caught => caught);
      expect(error.message).to.include('samples.weighted');
      await scattered.close();
    }
  });

  it('refuses a folder that is not there, or is none, by name and with a way out', async () => {
    const file = join(scratch, 'a-file');
    await writeFile(file, '');
    for (const [folder, problem] of [
      [join(scratch, 'nowhere'), 'there is no such folder'],
      [file, 'is not a folder'],
    ] as const) {
      const options = { memoryBytes: 0, scratch: folder };
      const scattered = scatter(labelledSamples([10]), {
        ...options,
        cells: [10],
        random: seeded(1, 'x'),
      });
      for (const error of [
        await labelsOf(scattered.batches()).catch(caught => caught),
        await requireScratch(labelledSamples([10]), options).catch(caught => caught),
      ]) {
        expect(error).to.be.instanceOf(DataError);
        expect(error.message).to.include(`${folder}: ${problem}`).and.include('`scratch`');
      }
    }
    await rm(file);
  });

  it('asks nothing of a folder that it does not need, and leaves nothing in one that it does', async () => {
    await requireScratch(labelledSamples([10]), { scratch: '/nowhere' });
    await requireScratch(labelledSamples([10]), { memoryBytes: 0, scratch });
    expect(readdirSync(scratch)).to.deep.equal([]);
  });
});
