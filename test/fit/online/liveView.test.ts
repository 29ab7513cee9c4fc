import { expect } from 'chai';
import { liveView } from '../../../src/fit/online/liveView.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import type { Model } from '../../../src/model/model.ts';
import { ledger } from '../../../src/privacy/ledger.ts';
import { plainReport, privateReport } from '../../support/reportModels.ts';

const online = (model: Model): OnlineEstimate => ({
  coefficients: {
    hour: { estimate: -1.25, error: 0.03, lower: -1.31, upper: -1.19, anyTime: [-1.35, -1.15] },
    '(intercept)': { estimate: 2, error: null, lower: null, upper: null, anyTime: null },
  },
  chunk: 4,
  rows: { used: 4990, read: 5000 },
  position: { after: 17, rows: 3 },
  progressiveError: { chunk: 0.5, all: 0.6 },
  alarm: { chunk: 3, coefficient: 'hour' },
  deadLetters: 2,
  lag: 9,
  notes: [{ text: 'rows are sorted', isSevere: false }],
  choices: [],
  model,
  ledger: ledger(),
});

describe('the view of an estimate of a stream', () => {
  it('is plain JSON with the numbers of the estimate', () => {
    const view = liveView(online(plainReport));
    expect(JSON.parse(JSON.stringify(view))).to.deep.equal(view);
    expect(view.coefficients).to.deep.equal([
      { name: 'hour', estimate: -1.25, error: 0.03, now: [-1.31, -1.19], anyTime: [-1.35, -1.15] },
      { name: '(intercept)', estimate: 2, error: null, now: null, anyTime: null },
    ]);
    expect(view).to.include({ target: 'delay', chunk: 4, level: 0.95, deadLetters: 2, lag: 9, privacy: null });
    expect(view.rows).to.deep.equal({ used: 4990, read: 5000 });
  });

  it('has of a private run nothing that was not released, nor of one that simulates one', () => {
    for (const model of [
      privateReport,
      { ...privateReport, ledger: { ...privateReport.ledger, private: false, note: 'Simulated' } },
    ]) {
      const view = liveView(online(model));
      expect(view).to.include({ progressiveError: null, deadLetters: null });
      expect(view.rows).to.deep.equal({ used: null, read: 5000 });
      expect(view.privacy!.epsilon).to.equal(privateReport.ledger.epsilon);
    }
  });
});
