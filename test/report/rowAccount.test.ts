import { expect } from 'chai';
import { rowAccount } from '../../src/report/rowAccount.ts';

const ledger = { private: false, epsilon: null, delta: null, rho: null, entries: [] };
const leftOver = (plan: Readonly<Record<string, unknown>>, used: number): string => {
  const rows = { read: 1000, used, leftOver: 1000 - used, invalid: 0 };
  return /Left over.*?(-?\d+)</s.exec(rowAccount({ rows, ledger, plan }).markup)![1]!;
};

describe('the account of rows', () => {
  it('has every row in one place', () => {
    expect(leftOver({ pilotRows: 100, heldOut: 50 }, 840)).to.equal('10');
  });

  it('knows of pilots that have all rows, which steps see again', () => {
    expect(leftOver({ pilotRows: 950, sharesPilot: true, heldOut: 50 }, 945)).to.equal('5');
  });
});
