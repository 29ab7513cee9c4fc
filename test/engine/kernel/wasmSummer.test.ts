import { expect } from 'chai';
import fc from 'fast-check';
import { type BlockRequest, type BlockSummer, blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import type { IntegerRequest, Quantization } from '../../../src/engine/kernel/integerSummer.ts';
import { wasmSummer } from '../../../src/engine/kernel/wasmSummer.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { filled, scaled, type Vector, zeros } from '../../../src/math/vector.ts';
import { gemanMcClure } from '../../../src/method/loss/gemanMcClure.ts';
import { glm } from '../../../src/method/loss/glm.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import type { Loss } from '../../../src/method/loss/loss.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { tukey } from '../../../src/method/loss/tukey.ts';
import { weightedLogistic } from '../../../src/method/loss/weightedLogistic.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { referenceIntegerSummer } from '../../support/kernelSlope.ts';
import { normals } from '../../support/linearAlgebra.ts';
import { sampleFor } from '../../support/losses.ts';
import { inArena } from './inArena.ts';

const compiled: readonly Loss[] = [
  squared(),
  logistic(),
  weightedLogistic(),
  pseudoHuber(0.2),
  gemanMcClure(2),
  tukey(2),
  ridge(logistic(), 0.5),
];

const layouts: readonly (readonly [blocks: number, rowsPerBlock: number])[] = [
  [1, 1],
  [1, 2],
  [5, 3],
  [300, 5],
  [2, 511],
  [2, 512],
  [2, 513],
  [2, 1023],
  [2, 1024],
  [2, 1025],
  [1, 1536],
  [1, 4999],
];

function sumsOf<R extends BlockRequest>(
  make: (request: R) => BlockSummer,
  request: R,
  ...batches: SampleBatch[]
): Float64Array {
  const summer = make(request);
  for (const batch of batches) summer.add(batch);
  return summer.finish().sums;
}

/** Weights from 0 to 2, some of them 0. */
const withWeights = (batch: SampleBatch): SampleBatch => ({
  ...batch,
  weights: Float64Array.from({ length: batch.rows }, (_, i) => (i % 7) / 3),
});

const thetaOf = (size: number): Vector => scaled(normals(seeded(1, 'theta'), size), 1 / Math.sqrt(size));

/** Per sum, the sum of its terms' absolute values. */
function termsOf({ loss, at, blocks, rowsPerBlock, intercept }: BlockRequest, batch: SampleBatch): Float64Array {
  const size = at.length;
  const terms = new Float64Array(blocks * size);
  for (let i = 0; i < blocks * rowsPerBlock; i++) {
    const x = [...batch.columns.map(column => column[i]!), ...(intercept ? [1] : [])];
    const score = x.reduce((sum, value, j) => sum + value * at[j]!, 0);
    const slope = (batch.weights?.[i] ?? 1) * loss.slope(score, batch.target[i]!);
    x.forEach((value, j) => {
      terms[Math.floor(i / rowsPerBlock) * size + j]! += Math.abs(slope * value);
    });
  }
  return terms;
}

/** Samples of a loss, each drawn once, because drawing takes longer than summing. */
const drawn = new Map<string, SampleBatch>();
function drawnFor(loss: Loss, rows: number, features: number): SampleBatch {
  const key = `${loss.name} ${rows} ${features}`;
  if (!drawn.has(key)) drawn.set(key, sampleFor(loss, rows, features));
  return drawn.get(key)!;
}

function expectAgreement(request: BlockRequest, batch: SampleBatch): void {
  const expected = sumsOf(blockSummer, request, batch);
  const terms = termsOf(request, batch);
  sumsOf(wasmSummer, request, batch).forEach((sum, i) => {
    // Most of a million sums agree, and asking chai takes longer than summing.
    if (!(Math.abs(sum - expected[i]!) <= 1e-12 * terms[i]!))
      expect(sum).to.be.closeTo(expected[i]!, 1e-12 * terms[i]!);
  });
}

describe('wasmSummer and the reference kernel', () => {
  for (const loss of compiled) {
    for (const intercept of [false, true]) {
      for (const weighted of [false, true]) {
        const name = `${loss.name}${intercept ? ', intercept' : ''}${weighted ? ', weights' : ''}`;

        it(`agree to 1e-12 of the sum of absolute terms: ${name}`, () => {
          const sample = (rows: number, features: number): SampleBatch => {
            const batch = drawnFor(loss, rows, features);
            return inArena(weighted ? withWeights(batch) : batch);
          };
          for (const [blocks, rowsPerBlock] of layouts) {
            for (const features of [1, 5, 7]) {
              const at = thetaOf(features + (intercept ? 1 : 0));
              const batch = sample(blocks * rowsPerBlock, features);
              expectAgreement({ loss, at, blocks, rowsPerBlock, intercept }, batch);
            }
          }
          for (let features = 1; features <= 40; features++) {
            const at = thetaOf(features + (intercept ? 1 : 0));
            expectAgreement({ loss, at, blocks: 1, rowsPerBlock: 1027, intercept }, sample(1027, features));
          }
        });
      }
    }
  }

  it('agree where a row weighs nothing: it adds exactly 0', () => {
    const batch = inArena({ ...sampleFor(squared(), 5, 3), weights: zeros(5) });
    const request = { loss: squared(), at: thetaOf(4), blocks: 1, rowsPerBlock: 5, intercept: true };
    expect(sumsOf(wasmSummer, request, batch)).to.deep.equal(zeros(4));
  });

  it('agree at scores of ±800, where exponentials leave the doubles', () => {
    const scores = [-800, -745.2, -744, -720, -708.5, -700, -40, -1e-300, 0, 1e-300, 40, 700, 720, 800];
    for (const loss of compiled) {
      for (const target of [0, 1e-3, 0.5, 1]) {
        for (const score of scores) {
          const batch = inArena(sampleBatch([Float64Array.of(score)], Float64Array.of(target)));
          const request = { loss, at: Float64Array.of(1, 0), blocks: 1, rowsPerBlock: 1, intercept: true };
          const [byScore, slope] = sumsOf(wasmSummer, request, batch);
          const expected = loss.slope(score, target);
          // The last term: units of the smallest double, where digits run out.
          expect(slope).to.be.closeTo(expected, 1e-15 * Math.abs(expected) + 2 * Number.MIN_VALUE);
          expect(byScore).to.be.closeTo(expected * score, 1e-15 * Math.abs(expected * score) + 2e3 * Number.MIN_VALUE);
        }
      }
    }
  });

  it('agree on the tail of the logistic slope to its last digits', () => {
    holdsForAll(
      fc.property(uniform(-700, 0), score => {
        const batch = inArena(sampleBatch([Float64Array.of(score)], Float64Array.of(0)));
        const request = {
          loss: logistic(),
          at: Float64Array.of(1, 0),
          blocks: 1,
          rowsPerBlock: 1,
          intercept: true,
        };
        const expected = logistic().slope(score, 0);
        expect(sumsOf(wasmSummer, request, batch)[1]).to.be.closeTo(expected, 4 * Number.EPSILON * expected);
      }),
    );
  });

  it('agree on values from 1e-300 to 1e300', () => {
    for (const loss of compiled) {
      for (const [size, theta] of [
        [1e-300, 1],
        [1e-150, 1e150],
        [1e150, 1e-150],
        [1e300, 1e-300],
        [1e300, 0],
      ] as const) {
        const batch = sampleFor(loss, 100, 3);
        const grown = inArena({ ...batch, columns: batch.columns.map(column => scaled(column, size)) });
        expectAgreement({ loss, at: filled(3, theta), blocks: 1, rowsPerBlock: 100 }, grown);
      }
    }
  });

  it('agree on which sums a NaN or an infinity spoils', () => {
    const values = [NaN, Infinity, -Infinity];
    for (const loss of compiled) {
      for (const place of ['column', 'target', 'weight'] as const) {
        for (const value of values) {
          for (const row of [0, 1, 6, 1024, 2046, 2047, 2999]) {
            for (const features of [3, 6]) {
              const batch = inArena(withWeights(drawnFor(loss, 3000, features)));
              const spoilt = { column: batch.columns[1]!, target: batch.target, weight: batch.weights! }[place];
              spoilt[row] = value;
              const request = {
                loss,
                at: thetaOf(features + 1),
                blocks: 3,
                rowsPerBlock: 1000,
                intercept: true,
              };
              const kindOf = (sum: number): number => (Number.isFinite(sum) ? 0 : sum);
              const expected = sumsOf(blockSummer, request, batch).map(kindOf);
              expect(sumsOf(wasmSummer, request, batch).map(kindOf)).to.deep.equal(expected);
            }
          }
        }
      }
    }
  });
});

describe('wasmSummer and the reference kernel of whole numbers', () => {
  const quantizations: readonly Quantization[] = [
    { grid: 1e-4, squaredNorm: 2 ** 52 },
    { grid: 1e-4, squaredNorm: 1e8 },
    { grid: 1e-4, squaredNorm: 1e8, clip: 1 },
    { grid: 0.3, squaredNorm: 1, clip: 0.3 },
    { grid: 1e-12, squaredNorm: 2 ** 52, clip: 1e3 },
  ];
  const cases = fc.record({
    loss: fc.constantFrom(...compiled, pseudoHuber(1e3)),
    features: fc.integer({ min: 1, max: 12 }),
    intercept: fc.boolean(),
    weighted: fc.boolean(),
    layout: fc.constantFrom(...layouts),
    quantization: fc.constantFrom(...quantizations),
    cuts: fc.array(fc.tuple(uniform(0, 1), fc.boolean()), { maxLength: 5 }),
    spoilt: fc.array(
      fc.tuple(
        uniform(0, 1),
        fc.constantFrom('column', 'target', 'weight'),
        fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -1e160, 1e154, 5e-324, 1e9),
      ),
      { maxLength: 4 },
    ),
  });

  it('give the same whole sums for any rows, in any batches and memory', () => {
    holdsForAll(
      fc.property(cases, ({ loss, features, intercept, weighted, layout, quantization, cuts, spoilt }) => {
        const [blocks, rowsPerBlock] = layout;
        const rows = blocks * rowsPerBlock;
        const sample = sampleFor(loss, rows, features);
        const outside = weighted ? withWeights(sample) : sample;
        for (const [share, place, value] of spoilt) {
          const column = { column: outside.columns[0]!, target: outside.target, weight: outside.weights }[place];
          if (column !== undefined) column[Math.floor(share * (rows - 1))] = value;
        }
        const inside = inArena(outside);
        const at = thetaOf(features + (intercept ? 1 : 0));
        const request: IntegerRequest = { loss, at, blocks, rowsPerBlock, intercept, ...quantization };
        const expected = sumsOf(referenceIntegerSummer, request, outside);
        expect(sumsOf(wasmSummer, request, inside)).to.deep.equal(expected);
        const summer = wasmSummer(request);
        let start = 0;
        for (const [share, isInside] of [...cuts.toSorted(([a], [b]) => a - b), [1, false] as const]) {
          const end = Math.floor(share * rows);
          summer.add(rowsBetween(isInside ? inside : outside, start, end));
          start = end;
        }
        expect(summer.finish()).to.deep.equal({
          sums: expected,
          blocks,
          rowsPerBlock,
          privacy: 'raw',
          grid: quantization.grid,
          squaredNorm: quantization.squaredNorm,
        });
      }),
    );
  });

  it('take turns with plain sums in one arena', () => {
    const batch = inArena(sampleFor(squared(), 2000, 3));
    const plain = { loss: squared(), at: thetaOf(3), blocks: 1, rowsPerBlock: 2000 };
    const whole = { ...plain, grid: 0.01, squaredNorm: 1e6 };
    const summers = [wasmSummer(plain), wasmSummer(whole), wasmSummer(plain)];
    for (let start = 0; start < 2000; start += 250) {
      for (const summer of summers) summer.add(rowsBetween(batch, start, start + 250));
    }
    const [first, second, third] = summers.map(summer => summer.finish().sums);
    expect(first).to.deep.equal(sumsOf(wasmSummer, plain, batch));
    expect(second).to.deep.equal(sumsOf(referenceIntegerSummer, whole, batch));
    expect(third).to.deep.equal(first);
  });
});

describe('wasmSummer', () => {
  it('gives the same bits for any cut of the rows into batches, in whichever memory', () => {
    const anywhere = uniform(0, 1).map(share => (rows: number) => Math.floor(share * rows));
    const atPieces = fc.integer({ min: 0, max: 9 }).map(piece => (rows: number) => Math.min(512 * piece, rows));
    const cuts = fc.array(fc.tuple(fc.oneof(anywhere, atPieces), fc.boolean()), { maxLength: 9 });
    const shapes = fc.record({
      loss: fc.constantFrom(...compiled),
      features: fc.integer({ min: 1, max: 12 }),
      intercept: fc.boolean(),
      weighted: fc.boolean(),
      layout: fc.constantFrom(...layouts),
      extra: fc.constantFrom(0, 1, 30),
    });
    holdsForAll(
      fc.property(shapes, cuts, ({ loss, features, intercept, weighted, layout, extra }, edgesAt) => {
        const [blocks, rowsPerBlock] = layout;
        const request = {
          loss,
          at: thetaOf(features + (intercept ? 1 : 0)),
          blocks,
          rowsPerBlock,
          intercept,
        };
        const rows = blocks * rowsPerBlock + extra;
        const sample = sampleFor(loss, rows, features);
        const outside = weighted ? withWeights(sample) : sample;
        const inside = inArena(outside);
        const edges = edgesAt
          .map(([edgeOf, isInside]) => [edgeOf(rows), isInside] as const)
          .toSorted(([a], [b]) => a - b);
        const summer = wasmSummer(request);
        let start = 0;
        for (const [end, isInside] of [...edges, [rows, true] as const]) {
          summer.add(rowsBetween(isInside ? inside : outside, start, end));
          start = end;
        }
        expect(summer.finish().sums).to.deep.equal(sumsOf(wasmSummer, request, inside));
      }),
    );
  });

  it('keeps summers apart that take turns in one arena', () => {
    const rows = 5000;
    const batch = inArena(sampleFor(squared(), rows, 6));
    const requests: BlockRequest[] = compiled.map((loss, k) => ({
      loss,
      at: thetaOf(6 + (k % 2)),
      blocks: 2 + k,
      rowsPerBlock: 500 + k,
      intercept: k % 2 === 1,
    }));
    const summers = requests.map(request => wasmSummer(request));
    for (let start = 0; start < rows; start += 333) {
      for (const summer of summers) summer.add(rowsBetween(batch, start, Math.min(rows, start + 333)));
    }
    summers.forEach((summer, k) => {
      expect(summer.finish().sums).to.deep.equal(sumsOf(wasmSummer, requests[k]!, batch));
    });
  });

  it('reads batches that lie in an arena only in part, or in one of fewer features', () => {
    const [rows, features] = [30, 40];
    const request = { loss: squared(), at: thetaOf(features), blocks: 1, rowsPerBlock: rows };
    const outside = withWeights(sampleFor(squared(), rows, features));
    const inside = inArena(outside);
    const narrow = columnArena({ features: 1, capacity: rows * features, weights: true }).slots[0]!;
    const packed = outside.columns.map((column, j) => {
      narrow.columns[0]!.set(column, j * rows);
      return narrow.columns[0]!.subarray(j * rows, (j + 1) * rows);
    });
    narrow.target.set(outside.target);
    narrow.weights.set(outside.weights!);
    const expected = sumsOf(wasmSummer, request, inside);
    for (const batch of [
      { ...inside, columns: [outside.columns[0]!, ...inside.columns.slice(1)] },
      { ...inside, target: outside.target },
      { ...inside, weights: outside.weights! },
      { rows, columns: packed, target: narrow.target, weights: narrow.weights },
    ]) {
      expect(sumsOf(wasmSummer, request, batch)).to.deep.equal(expected);
    }
  });

  it('uses no row past the last block, says so, and writes to no batch', () => {
    const batch = inArena(sampleFor(squared(), 10, 3));
    const before = structuredClone(batch);
    const request = { loss: squared(), at: thetaOf(3), blocks: 2, rowsPerBlock: 3 };
    const summer = wasmSummer(request);
    expect(summer.add({ ...batch, rows: 4 })).to.equal(4);
    expect(summer.add(rowsBetween(batch, 4, 4))).to.equal(0);
    expect(summer.add(rowsBetween(batch, 4, 10))).to.equal(2);
    expect(summer.add(batch)).to.equal(0);
    expect(summer.finish()).to.deep.equal({
      sums: sumsOf(wasmSummer, request, rowsBetween(batch, 0, 6)),
      blocks: 2,
      rowsPerBlock: 3,
      privacy: 'raw',
    });
    expect(batch).to.deep.equal(before);
  });

  it('refuses what it cannot sum, by name', () => {
    const request = { loss: squared(), at: thetaOf(3), blocks: 2, rowsPerBlock: 3 };
    const custom = glm({ ...logistic(), name: 'custom', meanBound: 1, varianceBound: 1 });
    const bad: [part: Partial<BlockRequest>, message: string][] = [
      [{ loss: custom }, 'loss must have a kernel, got "custom"; use blockSummer'],
      [{ at: zeros(0) }, 'at must have at least one coordinate'],
      [{ at: filled(3, NaN) }, 'at[0] must be a finite number, got NaN'],
      [{ blocks: 0 }, 'blocks must be a whole number of at least 1, got 0'],
      [{ rowsPerBlock: 0.5 }, 'rowsPerBlock must be a whole number of at least 1, got 0.5'],
    ];
    for (const [part, message] of bad) {
      expect(() => wasmSummer({ ...request, ...part })).to.throw(ArgumentError, message);
    }
    const summer = wasmSummer(request);
    const batch = inArena(sampleFor(squared(), 5, 3));
    expect(() => summer.add(inArena(sampleFor(squared(), 5, 2)))).to.throw(
      ArgumentError,
      'the length of batch.columns must be 3, got 2',
    );
    expect(() => summer.add({ ...batch, rows: 6 })).to.throw(ArgumentError, 'be at least batch.rows = 6, got 5');
    expect(() => summer.add({ ...batch, weights: zeros(4) })).to.throw(
      ArgumentError,
      'the length of batch.weights must be at least batch.rows = 5, got 4',
    );
    summer.add(batch);
    expect(() => summer.finish()).to.throw(ArgumentError, '2 blocks of 3 rows need 6 rows, got 5');
  });

  it('sums slopes alone where there is an intercept and no feature', () => {
    const batch: SampleBatch = { rows: 3, columns: [], target: Float64Array.of(1, 2, 3) };
    const request = { loss: squared(), at: Float64Array.of(10), blocks: 1, rowsPerBlock: 3, intercept: true };
    expect(sumsOf(wasmSummer, request, batch)).to.deep.equal(Float64Array.of(24));
    expect(sumsOf(blockSummer, request, batch)).to.deep.equal(Float64Array.of(24));
  });
});
