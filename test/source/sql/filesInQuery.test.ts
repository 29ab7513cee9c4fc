import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { filesInQuery } from '../../../src/source/sql/confined.ts';

describe('filesInQuery', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-query-')));
    for (const name of ['a.csv', 'b.csv', "it's.csv"]) writeFileSync(at(name), 'y,x\n');
    symlinkSync(at('a.csv'), at('alias'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('finds files in quotes of any kind, once each, whatever links lead to them', async () => {
    for (const query of [
      `SELECT * FROM '${at('a.csv')}'`,
      `SELECT * FROM "${at('a.csv')}" WHERE y > 0`,
      `FROM read_csv($$${at('a.csv')}$$)`,
      `FROM read_csv($q$${at('a.csv')}$q$)`,
      `SELECT '${at('a.csv')}' FROM 'file://${at('alias')}'`,
      `SELECT 1 -- don't\n FROM '${at('a.csv')}' /* don't */`,
    ]) {
      expect(await filesInQuery(query), query).to.deep.equal([at('a.csv')]);
    }
    expect(await filesInQuery(`FROM '${at("it''s.csv")}'`)).to.deep.equal([at("it's.csv")]);
  });

  it('finds those of lists and patterns, and bare names of the present folder', async () => {
    const both = [at('a.csv'), at('b.csv')];
    expect(await filesInQuery(`FROM read_csv(['${both.join("', '")}'])`)).to.deep.equal(both);
    expect(await filesInQuery(`FROM '${at('[ab].csv')}'`)).to.have.members(both);
    expect(await filesInQuery('SELECT * FROM package.json')).to.deep.equal([realpathSync('package.json')]);
  });

  it('finds none in what is no file, or is only remarked', async () => {
    expect(await filesInQuery(`SELECT 'x', '[', '' FROM range(3) -- '${at('a.csv')}'\n, '${folder}'`)).to.deep.equal(
      [],
    );
  });
});
