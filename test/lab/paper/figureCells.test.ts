import { expect } from 'chai';
import { figureCells } from '../../../src/lab/paper/figureCells.ts';

const seeds = (...values: number[]) => values.map(value => [{ reading: 'primary', series: 'FW', x: 10, value }]);

describe('figureCells', () => {
  it('has the median and quartiles that numpy has', () => {
    // numpy.quantile([3, 1, 4, 1.5], [.25, .5, .75]) = 1.375, 2.25, 3.25
    expect(figureCells(seeds(3, 1, 4, 1.5))).to.deep.equal([
      { reading: 'primary', series: 'FW', x: 10, median: 2.25, q25: 1.375, q75: 3.25, seeds: 4 },
    ]);
  });

  it('takes a run that overflowed for the worst', () => {
    expect(figureCells(seeds(1, NaN, 2))[0]).to.include({ median: 2, q25: 1.5, q75: Infinity });
  });

  it('keeps readings, series and x apart, in the order of the first seed', () => {
    const points = [
      { reading: 'primary', series: 'FW', x: 20, value: 1 },
      { reading: 'primary', series: 'FW', x: 10, value: 2 },
      { reading: 'split', series: 'FW', x: 10, value: 3 },
    ];
    expect(figureCells([points, points]).map(({ median }) => median)).to.deep.equal([1, 2, 3]);
  });
});
