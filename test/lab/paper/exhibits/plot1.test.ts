import { expect } from 'chai';
import { leastGradient } from '../../../../src/lab/paper/exhibits/lowerBound.ts';
import { plot1, S1_OF_THE_DATA } from '../../../../src/lab/paper/exhibits/plot1.ts';
import * as synthetic from '../../../../src/lab/synthetic/figures.ts';
import { rowsBetween } from '../../../../src/sample/sampleBatch.ts';

const planOf = (reading: string, series: string) =>
  plot1()
    .studies[0]!.readings.find(({ name }) => name === reading)!
    .plans(10_000)[series]!;

describe('figure plot1', () => {
  it('has rows that allow the S1 of its control, at every n from 500 on', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { batch } = synthetic.plot1(10_000, seed);
      for (const rows of [500, 1000, 4000, 10_000]) {
        const found = leastGradient(rowsBetween(batch, 0, rows), 1 / (4 * Math.sqrt(10)));
        expect(found, `seed ${seed}, n = ${rows}`).to.be.at.least(S1_OF_THE_DATA);
      }
    }
  });

  it('takes T = 14 in that control and 69 otherwise, and T = 176 or 110 by the two readings of the Gaussian width', () => {
    expect(planOf('S1 of the data', 'ACCFW eps=0.9').steps).to.have.length(14);
    expect(planOf('primary', 'ACCFW eps=0.9').steps).to.have.length(69);
    expect(planOf('primary', 'FW eps=0.9').steps).to.have.length(176);
    expect(planOf('G = 2 D sqrt p', 'FW eps=0.9').steps).to.have.length(110);
  });
});
