import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import * as figures from '../../../src/lab/synthetic/figures.ts';
import type { SyntheticSample } from '../../../src/lab/synthetic/syntheticSample.ts';
import { rowsBetween } from '../../../src/sample/sampleBatch.ts';
import { ksDistance, ksThreshold, mean, meanThreshold, normalCdf, studentCdf } from '../../support/statistics.ts';

const { plot1, plot2, plot3, plot4, plot5, plot6, plot7 } = figures;
const ROWS = 5000;

describe('each figure', () => {
  for (const [name, figure] of Object.entries(figures)) {
    it(`${name} repeats itself for a seed and differs for another`, () => {
      expect(figure(20, 1)).to.deep.equal(figure(20, 1));
      expect(figure(20, 2).batch).not.to.deep.equal(figure(20, 1).batch);
    });

    it(`${name} nests its samples`, () => {
      expect(rowsBetween(figure(50, 'a').batch, 0, 20)).to.deep.equal(figure(20, 'a').batch);
    });

    it(`${name} takes the number of features, and refuses none`, () => {
      const { batch, truth } = figure(3, 1, { features: 4 });
      expect(batch.columns).to.have.length(4);
      expect(truth).to.have.length(4);
      expect(() => figure(3, 1, { features: 0 })).to.throw(ArgumentError, /^features must be .*, got 0$/);
      expect(() => figure(0, 1)).to.throw(ArgumentError, 'rows must be a whole number of at least 1, got 0');
    });
  }

  it('has the width and truth of the paper', () => {
    expect([plot1, plot2, plot3, plot4, plot5, plot6, plot7].map(figure => figure(1, 1).truth)).to.deep.equal(
      [
        [10, 1 / Math.sqrt(10)],
        [3, 1],
        [10, 1],
        [100, 1],
        [100, 1],
        [10, 1 / Math.sqrt(10)],
        [10, 1],
      ].map(([features, value]) => new Float64Array(features!).fill(value!)),
    );
  });

  it('has data of its own: no two figures and no two ranks share their draws', () => {
    const samples = [
      plot3(5, 1),
      plot4(5, 1),
      plot5(5, 1),
      plot6(5, 1, { rank: 3 }),
      plot6(5, 1, { rank: 6 }),
      plot7(5, 1),
    ];
    expect(new Set(samples.map(({ batch }) => batch.columns[0]![0])).size).to.equal(samples.length);
  });
});

describe('plot1', () => {
  it('is separated by v* with margin sqrt(p)/2, inside the cube', () => {
    const sample = plot1(ROWS, 1);
    scores(sample).forEach((score, i) => {
      expect(sample.batch.target[i]).to.equal(Math.sign(score));
      expect(Math.abs(score)).to.be.at.least((Math.sqrt(10) / 2) * (1 - 1e-12));
    });
    for (const column of sample.batch.columns) expect(column.every(x => Math.abs(x) <= 1)).to.equal(true);
  });
});

describe('plot2', () => {
  const sample = plot2(ROWS, 1);
  const { columns, target } = sample.batch;
  const side = 1 / Math.sqrt(3);

  it('has features uniform on [-1/sqrt(p), 1/sqrt(p)] and targets 0 and 1', () => {
    for (const column of columns) expect(ksDistance(column, x => (x / side + 1) / 2)).to.be.below(ksThreshold(ROWS));
    expect(new Set(target)).to.deep.equal(new Set([0, 1]));
  });

  it('has the logistic model: y - sigmoid(x.theta*) has mean 0, alone and against each feature', () => {
    const residuals = scores(sample).map((score, i) => target[i]! - 1 / (1 + Math.exp(-score)));
    expect(mean(residuals)).to.be.closeTo(0, meanThreshold(ROWS, 2));
    for (const column of columns) {
      expect(mean(residuals.map((residual, i) => residual * column[i]!))).to.be.closeTo(
        0,
        meanThreshold(ROWS, 2 * side),
      );
    }
  });
});

describe('plot3', () => {
  it('has features uniform on [-1/sqrt(p), 1/sqrt(p)]', () => {
    for (const column of plot3(ROWS, 1).batch.columns) {
      expect(ksDistance(column, x => (x * Math.sqrt(10) + 1) / 2)).to.be.below(ksThreshold(ROWS));
    }
  });
});

describe('the linear figures', () => {
  const cdf = studentCdf(3);
  for (const [name, figure] of Object.entries({ plot3, plot4, plot5, plot6, plot7 })) {
    it(`${name} has y - x.theta* ~ t(3)`, () => {
      const sample = figure(1e5, 1, { features: 4 });
      const noise = scores(sample).map((score, i) => sample.batch.target[i]! - score);
      expect(ksDistance(noise, cdf)).to.be.below(ksThreshold(1e5));
    });
  }
});

describe('the Gaussian figures', () => {
  const spread = Array.from({ length: 100 }, (_, j) => 2 / 3 + j / 297);
  const ranked = (rank: number) => Array.from({ length: 10 }, (_, j) => Number(j < rank));
  for (const [name, sample, variances] of [
    ['plot4', plot4(ROWS, 1), spread],
    ['plot4 with p = 2', plot4(ROWS, 1, { features: 2 }), [2 / 3, 1]],
    ['plot5', plot5(ROWS, 1), spread],
    ['plot6 with m = 3', plot6(ROWS, 1), ranked(3)],
    ['plot6 with m = 6', plot6(ROWS, 1, { rank: 6 }), ranked(6)],
    ['plot6 with m = 9', plot6(ROWS, 1, { rank: 9 }), ranked(9)],
    ['plot7', plot7(ROWS, 1), ranked(10)],
  ] as const) {
    it(`${name} has independent normal features of its variances`, () => {
      const standardised = sample.batch.columns.flatMap((column, j) => {
        const deviation = Math.sqrt(variances[j]!);
        if (deviation > 0) return [column.map(x => x / deviation)];
        expect(column.every(x => x === 0)).to.equal(true);
        return [];
      });
      for (const column of standardised) {
        expect(ksDistance(column, normalCdf)).to.be.below(ksThreshold(ROWS));
        // The mean of squares is chi^2_n / n, nearly normal: 7 deviations are a false alarm below 1e-9.
        expect(mean(column.map(x => x * x))).to.be.closeTo(1, 7 * Math.sqrt(2 / ROWS));
      }
      const rotated = new Float64Array(ROWS).map((_, i) => standardised.reduce((sum, column) => sum + column[i]!, 0));
      expect(ksDistance(rotated, x => normalCdf(x / Math.sqrt(standardised.length)))).to.be.below(ksThreshold(ROWS));
    });
  }

  it('refuses a rank outside 1 to p', () => {
    expect(() => plot6(1, 1, { rank: 11 })).to.throw(ArgumentError, 'rank must be a whole number from 1 to 10, got 11');
    expect(() => plot6(1, 1, { rank: 0 })).to.throw(ArgumentError, 'rank must be a whole number from 1 to 10, got 0');
  });
});

const scores = ({ batch, truth }: SyntheticSample): Float64Array =>
  new Float64Array(batch.rows).map((_, i) => batch.columns.reduce((sum, column, j) => sum + column[i]! * truth[j]!, 0));
