import { expect } from 'chai';
import { type History, NO_HISTORY, remembered } from '../../../src/sink/live/history.ts';
import { liveEstimate } from '../../support/liveEstimates.ts';

describe('the history of a stream', () => {
  const grown = (chunks: number, names?: string[], history: History = NO_HISTORY): History => {
    const one = liveEstimate(5, {}, names);
    for (let chunk = 0; chunk < chunks; chunk++) history = remembered(history, { ...one, chunk });
    return history;
  };

  it('keeps every chunk while there are few', () => {
    const { points, stride } = grown(100);
    expect(stride).to.equal(1);
    expect(points.map(({ chunk }) => chunk)).to.deep.equal(Array.from({ length: 100 }, (_, k) => k));
  });

  it('stays bounded, evenly spaced, and ends with the latest', () => {
    for (const chunks of [241, 1000, 12_345]) {
      const { points, stride } = grown(chunks);
      expect(points.length).to.be.within(100, 241);
      expect(points.at(-1)!.chunk).to.equal(chunks - 1);
      const gaps = points.slice(1, -1).map(({ chunk }, k) => chunk - points[k]!.chunk);
      expect(new Set(gaps)).to.deep.equal(new Set([stride]));
    }
  });

  it('keeps fewer points of many coefficients', () => {
    const names = Array.from({ length: 256 }, (_, k) => `x${k}`);
    expect(JSON.stringify(grown(1000, names)).length).to.be.below(2e6);
  });

  it('keeps a chunk that is told again once, and begins anew where names change', () => {
    const again = remembered(grown(10), liveEstimate(9));
    expect(again.points.map(({ chunk }) => chunk)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(remembered(again, liveEstimate(10, {}, ['other'])).points).to.have.length(1);
  });
});
