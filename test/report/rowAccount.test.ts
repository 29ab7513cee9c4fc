import { expect } from 'chai';
import { rowAccount } from '../../src/report/rowAccount.ts';

const ledger = { private: false, epsilon: null, delta: null, rho: null, entries: [] };

describe('the account of rows', () => {
  it('has every row in one place', () => {
    const rows = { read: 1000, used: 840, leftOver: 10, invalid: 0 };
    const { markup } = rowAccount({ rows, ledger, plan: { pilotRows: 100, heldOut: 50 } });
    const figures = [...markup.matchAll(/<dt>(.*?)<\/dt>.*?(\d[\d,]*)</gs)];
    expect(figures.map(([, name, count]) => `${name} ${count}`)).to.deep.equal([
      'Read 1,000',
      'Used by steps 840',
      'Used by the pilot 100',
      'Held out 50',
      'Left over 10',
      'Invalid 0',
    ]);
  });
});
