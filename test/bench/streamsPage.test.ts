import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { streamPictures } from '../../bench/streamPictures.ts';
import { withTables } from '../../bench/streamTables.ts';
import { onlineFigures } from '../support/onlineFigures.ts';

const docs = new URL('../../docs/', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, docs), 'utf8');

describe('what docs/streams.md says was measured', () => {
  it('has pictures that are made of the committed figures, and shows each of them', async () => {
    const pictures = await streamPictures(onlineFigures());
    expect(readdirSync(new URL('streams/', docs)).sort()).to.deep.equal([...pictures.keys()].sort());
    for (const [name, svg] of pictures) {
      expect(textOf(`streams/${name}`) === svg, `${name}; npm run figures:streams renews it`).to.equal(true);
      expect(textOf('streams.md')).to.include(`](streams/${name})`);
    }
  });

  it('has tables that are made of the committed figures, one for each measurement', () => {
    const page = textOf('streams.md');
    expect(withTables(page, onlineFigures()) === page, 'npm run figures:streams renews them').to.equal(true);
    const told = [...page.matchAll(/<!-- measured: ([^>]+) -->/g)].map(([, name]) => name);
    expect(told.sort()).to.deep.equal(
      Object.keys(onlineFigures())
        .filter(name => name !== 'recovery')
        .sort(),
    );
  });

  it('knows every figure by the sources that made it', () => {
    for (const [measurement, cells] of Object.entries(onlineFigures()))
      for (const { cell, repeats, sources, figures } of cells) {
        expect(sources, measurement).to.match(/^[0-9a-f]{16}$/);
        expect(repeats, JSON.stringify(cell)).to.be.greaterThan(0);
        expect(Object.keys(figures)).to.have.length.greaterThan(0);
      }
  });
});
