import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expandPaths } from '../../../src/source/table/expandPaths.ts';
import { failure } from '../text/failure.ts';

describe('expandPaths', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-')));
  const files = [
    'part-1.csv',
    'part-2.csv',
    'part-10.csv',
    'part-x.csv',
    'odd[1].csv',
    '.hidden.csv',
    'a+b.csv',
    'année.csv',
    'year=2023/a.parquet',
    'year=2023/deep/b.parquet',
    'year=2024/a.parquet',
    '.git/c.parquet',
  ];
  before(() => {
    for (const file of files) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    symlinkSync(join(folder, 'part-1.csv'), join(folder, 'link.csv'));
    symlinkSync(folder, join(folder, 'year=2023', 'loop'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const expand = async (...patterns: readonly string[]): Promise<string[]> =>
    (await expandPaths(patterns.map(pattern => `${folder}/${pattern}`))).map(path => path.slice(folder.length + 1));

  it('keeps files as they are named, in the order named', async () => {
    expect(await expand('part-2.csv', 'part-1.csv')).to.deep.equal(['part-2.csv', 'part-1.csv']);
  });

  it('puts the files of a pattern in natural order', async () => {
    expect(await expand('part-*.csv')).to.deep.equal(['part-1.csv', 'part-2.csv', 'part-10.csv', 'part-x.csv']);
  });

  for (const [pattern, expected] of [
    ['part-?.csv', ['part-1.csv', 'part-2.csv', 'part-x.csv']],
    ['part-[0-9]*.csv', ['part-1.csv', 'part-2.csv', 'part-10.csv']],
    ['part-[!0-9].csv', ['part-x.csv']],
    ['part-[^x].csv', ['part-1.csv', 'part-2.csv']],
    ['part-{2,10,99}.csv', ['part-2.csv', 'part-10.csv']],
    ['{part-{1,2},a+b}.c*', ['a+b.csv', 'part-1.csv', 'part-2.csv']],
    ['a+*.csv', ['a+b.csv']],
    ['ann?e.csv', ['année.csv']],
    ['.h*', ['.hidden.csv']],
    // On Windows a backslash parts folders.
    ...(process.platform === 'win32' ? [] : [['odd\\[?\\].csv', ['odd[1].csv']] as const]),
    ['odd[[]?].csv', ['odd[1].csv']],
    ['odd[1].csv', ['odd[1].csv']],
    ['*/a.parquet', ['year=2023/a.parquet', 'year=2024/a.parquet']],
    ['year=202[34]//?.parquet', ['year=2023/a.parquet', 'year=2024/a.parquet']],
    ['**/*.parquet', ['year=2023/a.parquet', 'year=2023/deep/b.parquet', 'year=2024/a.parquet']],
    ['year=2023/**', ['year=2023/a.parquet', 'year=2023/deep/b.parquet']],
    ['**/deep/**/b.parquet', ['year=2023/deep/b.parquet']],
  ] as const) {
    it(`expands ${pattern} as a shell would`, async () => {
      expect(await expand(pattern)).to.deep.equal(expected);
    });
  }

  it('keeps the way a relative pattern is written', async () => {
    expect(await expandPaths(['./src/source/table/expand*.ts'])).to.deep.equal(['./src/source/table/expandPaths.ts']);
    expect(await expandPaths(['src/s*/table/expandPaths.ts'])).to.deep.equal(['src/source/table/expandPaths.ts']);
  });

  it('refuses a pattern that matches nothing', async () => {
    expect(await failure(() => expand('part-*.tsv'))).to.equal(
      `${folder}/part-*.tsv: matches no file; check the pattern and its folder`,
    );
    expect(await failure(() => expand('absent/*'))).to.include('matches no file');
    expect(await failure(() => expand('year=202?'))).to.include('matches no file');
    expect(await failure(() => expand('part-[z-a].csv'))).to.include('is not a valid pattern; check its brackets');
  });

  it('refuses a file that is not there, and a folder', async () => {
    expect(await failure(() => expand('absent.csv'))).to.include('absent.csv: there is no such file');
    expect(await failure(() => expand('year=2023'))).to.include('year=2023: is a folder; name its files');
  });

  it('refuses a file that is named twice, by whatever name', async () => {
    expect(await failure(() => expand('part-1.csv', 'part-1.csv'))).to.include(
      'part-1.csv: is named twice; name it once: its rows would be read twice',
    );
    expect(await failure(() => expand('part-*.csv', 'part-2.csv'))).to.include('is named twice');
    expect(await failure(() => expand('part-1.csv', 'link.csv'))).to.include(
      `is the same file as ${folder}/part-1.csv`,
    );
    expect(await failure(() => expand('part-1.csv', './part-1.csv'))).to.include('is the same file as');
  });

  it('takes standard input alone', async () => {
    expect(await expandPaths(['-'])).to.deep.equal(['-']);
    for (const patterns of [[], ['-', '-'], ['a.csv', '-']]) {
      let message = '';
      await expandPaths(patterns).catch(error => {
        message = error.message;
      });
      expect(message).to.match(/must be the only input|at least one file/);
    }
  });
});
