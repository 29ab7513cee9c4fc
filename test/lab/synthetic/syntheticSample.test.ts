import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { type Response, uniformCube } from '../../../src/lab/synthetic/covariates.ts';
import { syntheticSample } from '../../../src/lab/synthetic/syntheticSample.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { rowsBetween } from '../../../src/sample/sampleBatch.ts';

const truth = Float64Array.of(1, -2, 0.5);

const plusQuarter: Response = (_, scores) => {
  for (let i = 0; i < scores.length; i++) scores[i]! += 0.25;
};

const sample = (rows: number, seed = 1) =>
  syntheticSample({
    rows,
    truth,
    covariates: uniformCube(2),
    response: plusQuarter,
    random: seeded(seed, 'syntheticSample'),
  });

describe('syntheticSample', () => {
  it('has one column per coordinate of the truth and one target per row', () => {
    const { batch, truth: kept } = sample(7);
    expect(batch.rows).to.equal(7);
    expect(batch.columns.map(column => column.length)).to.deep.equal([7, 7, 7]);
    expect(batch.target).to.have.length(7);
    expect(kept).to.equal(truth);
  });

  it('answers the score x.theta* of each row', () => {
    const { columns, target } = sample(50).batch;
    target.forEach((y, i) => {
      const score = columns[0]![i]! - 2 * columns[1]![i]! + 0.5 * columns[2]![i]!;
      expect(y).to.be.closeTo(score + 0.25, 1e-14);
    });
  });

  it('begins with the rows of every smaller sample of its stream', () => {
    expect(rowsBetween(sample(100).batch, 0, 40)).to.deep.equal(sample(40).batch);
  });

  it('lies where it is told to, over whatever was there', () => {
    const arena = columnArena({ features: 3, capacity: 60, slots: 1 });
    const inArena = (rows: number) =>
      syntheticSample({
        rows,
        truth,
        covariates: uniformCube(2),
        response: plusQuarter,
        random: seeded(1, 'syntheticSample'),
        arena: () => arena,
      }).batch;
    expect(inArena(60).target.buffer).to.equal(arena.memory.buffer);
    expect(inArena(40)).to.deep.equal(sample(40).batch);
  });

  it('refuses no rows and a truth that is no vector', () => {
    expect(() => sample(0)).to.throw(ArgumentError, 'rows must be a whole number of at least 1, got 0');
    expect(() => sample(2.5)).to.throw(ArgumentError, 'rows must be a whole number of at least 1, got 2.5');
    const empty = { rows: 1, covariates: uniformCube(1), response: plusQuarter, random: seeded(1, 'x') };
    expect(() => syntheticSample({ ...empty, truth: new Float64Array() })).to.throw(
      ArgumentError,
      'truth must have at least one coordinate',
    );
    expect(() => syntheticSample({ ...empty, truth: Float64Array.of(1, NaN) })).to.throw(
      ArgumentError,
      'truth[1] must be a finite number, got NaN',
    );
  });
});
