import { expect } from 'chai';
import { estimateModel } from '../../../../src/fit/estimateModel.ts';
import { type FitRowsOptions, fitRows } from '../../../../src/fit/fitRows.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { l2Ball } from '../../../../src/method/constraint/l2Ball.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../../src/method/loss/squared.ts';
import type { Model } from '../../../../src/model/model.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';

const random = seeded('astray', 'rows');
const [a, b] = [0, 1].map(() => Float64Array.from({ length: 2000 }, () => normal(random)));
const rows = samplesOf(
  sampleBatch(
    [a!, b!],
    // One row in ten is far off, which a note tells of where the pilot's residuals are those of the fit.
    a!.map((value, i) => 2 * value - b![i]! + 7 + normal(random) + (i % 10 === 0 ? 50 : 0)),
  ),
);
const fitBy = (options: FitRowsOptions) => fitRows(rows, options);
const modelBy = async (options: FitRowsOptions): Promise<Model> =>
  estimateModel(await fitBy(options), { target: 'y', names: ['a', 'b'] });
const notesOf = async (options: FitRowsOptions): Promise<readonly string[]> => (await modelBy(options)).notes ?? [];
const plain: FitRowsOptions = { loss: squared(), mode: 'full', steps: 30 };

describe('divergence', () => {
  it('tells of steps whose gradients grow, with a step that comes to the answer', async () => {
    const { divergence, fit } = await fitBy({ ...plain, stepSize: 2.5 });
    expect(divergence!.last).to.be.above(1000 * divergence!.first!);
    expect(Math.abs(fit.theta[0]!)).to.be.above(100);
    const mended = await fitBy({ ...plain, stepSize: divergence!.suggestedStep! });
    expect(mended.divergence).to.equal(null);
    expect(mended.fit.theta[0]).to.be.closeTo(2, 1);
    const { notes, severeNotes } = await modelBy({ ...plain, stepSize: 2.5 });
    expect(severeNotes).to.deep.equal([0]);
    expect(notes![0]).to.match(
      /^the steps diverged, and the coefficients are meaningless: the norm of the gradient went from [\d.]+ to \d+\. `stepSize: 2\.5` is too large for these rows; omit it, or use about 0\.\d+$/,
    );
  });

  it('of steps that swing from side to side where gradients are bounded, of which no step follows', async () => {
    const found = await fitBy({ loss: pseudoHuber(1), mode: 'full', steps: 30, stepSize: 1000 });
    expect(found.divergence).to.include({ suggestedStep: null, by: 'gradients' });
  });

  it("and by the pilot's rows where a loss is flat far off, without notes on residuals of the pilot", async () => {
    const { divergence } = await fitBy({ stepSize: 1e9 });
    expect(divergence!.by).to.equal('pilot');
    const mended = await fitBy({ stepSize: divergence!.suggestedStep! });
    expect(mended.divergence).to.equal(null);
    const far = /residuals beyond/;
    expect((await notesOf({ stepSize: 1e9 })).filter(note => far.test(note))).to.deep.equal([]);
    expect((await notesOf({ stepSize: divergence!.suggestedStep! })).filter(note => far.test(note))).to.have.length(1);
  });

  it('by rows of the last chunk where chunks are fresh, so that no gradients of the same rows can be compared', async () => {
    for (const aggregate of ['auto', 'mean'] as const) {
      for (const steps of [1, 2, 3, 20]) {
        const options = { loss: pseudoHuber(1), mode: 'fresh', steps, aggregate, stepSize: 1000 } as const;
        const found = await fitBy(options);
        expect(found.divergence, `${aggregate}, ${steps}`).to.include({
          by: 'last chunk',
          suggestedStep: null,
        });
        const { notes, severeNotes } = await modelBy(options);
        expect(notes![0]).to.equal(
          'the steps diverged, and the coefficients are meaningless: the loss of the last chunk is larger than at the start. `stepSize: 1000` is too large for these rows; omit it',
        );
        expect(severeNotes).to.include(0);
      }
    }
  });

  it('not by chance, where fresh chunks begin at the answer', async () => {
    const start = Float64Array.of(2, -1, 7.5);
    for (let orderSeed = 0; orderSeed < 20; orderSeed++) {
      for (const stepSize of [0.5, 2]) {
        const near: FitRowsOptions = { loss: pseudoHuber(1), mode: 'fresh', steps: 3, start, stepSize };
        expect((await fitBy({ ...near, orderSeed: String(orderSeed) })).divergence).to.equal(null);
      }
    }
  });

  it('has nothing to say of steps that settle, that are short, that a set holds back, or that nobody gave', async () => {
    const settings: readonly FitRowsOptions[] = [
      {},
      { stepSize: 0.01 },
      { ...plain, stepSize: 1 },
      { ...plain, stepSize: 1e-6 },
      { ...plain, stepSize: 0.5, start: Float64Array.of(2, -1, 12) },
      { loss: squared(), schedule: 'geometric', steps: 5, stepSize: 0.9 },
      { stepSize: 0.5, constraint: l2Ball(0.1) },
      { method: 'frank-wolfe', intercept: false, constraint: l2Ball(1), loss: squared() },
    ];
    for (const options of settings) expect((await fitBy(options)).divergence).to.equal(null);
  });
});
