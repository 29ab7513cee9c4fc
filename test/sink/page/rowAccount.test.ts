import { expect } from 'chai';
import { rowAccount } from '../../../src/sink/page/planFacts.ts';

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

  const origin = (data: Parameters<typeof rowAccount>[0]['data']): string | undefined => {
    const rows = { read: 1, used: 1, leftOver: 0, invalid: 0 };
    const { markup } = rowAccount({ ...(data && { data }), rows, ledger, plan: {} });
    return /<dt>From.*?<\/dd>/s.exec(markup)?.[0].replace(/<.*?>/gs, ' ').trim();
  };

  it('names the files, the standard input or the query that rows came from', () => {
    expect(origin({ files: ['may.parquet', 'june <1>.parquet'] })).to.match(
      /^From\s+may\.parquet, june &lt;1&gt;\.parquet$/,
    );
    expect(origin({ files: ['-'] })).to.match(/^From\s+standard input$/);
    expect(origin({ sql: 'SELECT a FROM t' })).to.match(/^From the query\s+SELECT a FROM t$/);
    expect(origin(undefined)).to.equal(undefined);
  });
});
