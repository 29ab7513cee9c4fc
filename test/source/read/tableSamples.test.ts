import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, Float32, Float64, Int32, Table, tableToIPC, type Vector, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { gather } from '../../../src/sample/gather.ts';
import type { ReadingThread } from '../../../src/source/read/columnThreads.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { openTable } from '../../../src/source/read/openTable.ts';
import { type ReadOptions, tableSamples } from '../../../src/source/read/tableSamples.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { arrayTable } from '../../support/arrayTable.ts';
import { chunks } from '../text/chunks.ts';

describe('tableSamples', () => {
  let folder: string;
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-samples-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  async function read(paths: string | string[], options: ReadOptions) {
    const samples = await openRows(paths, options);
    try {
      const { columns, target, weights } = await gather(samples.batches(), samples.rows, samples.features);
      return {
        names: samples.design.features.map(({ name }) => name),
        columns: columns.map(column => [...column]),
        target: [...target],
        weights: weights && [...weights],
        tally: { ...samples.tally },
      };
    } finally {
      await samples.close();
    }
  }
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'nothing',
      error => error.message,
    );

  it('takes every number and boolean but the target, in the order of the file', async () => {
    const path = file('mixed.csv', 'a,name,y,ok\n1,x,10,true\n2,z,20,false\n');
    expect(await read(path, { target: 'y' })).to.deep.include({
      names: ['a', 'ok'],
      columns: [
        [1, 2],
        [1, 0],
      ],
      target: [10, 20],
      weights: undefined,
    });
  });

  it('refuses a policy for nulls that is none, which would take zeros for them', async () => {
    const path = file('nulls.csv', 'a,y\n1,10\n,20\n');
    expect(await refusal(read(path, { target: 'y', nulls: 'ignore' as never }))).to.equal(
      'nulls must be "auto" or "error" or "skip", got "ignore"',
    );
  });

  it('refuses numbers of rows and threads that are none, but for infinitely many rows', async () => {
    const path = file('counts.csv', 'a,y\n1,10\n2,20\n');
    for (const [name, values] of Object.entries({
      rows: [-1, NaN, 2.5],
      threads: [-1, 0, 1.5],
      batchRows: [0, NaN],
    }))
      for (const value of values)
        expect(await refusal(read(path, { target: 'y', [name]: value }))).to.match(
          new RegExp(`^${name} must be a whole number of at least \\d, got ${value}$`),
        );
    const samples = await openRows(path, { target: 'y', rows: Infinity });
    expect(samples.rows).to.equal(Infinity);
    await samples.close();
  });

  it('gives the same rows for any size of batch, across any number of files', async () => {
    const rows = Array.from({ length: 57 }, (_, i) => `${i},${i * i},${100 - i}`);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.array(fc.integer({ min: 1, max: 56 }), { maxLength: 3 }),
        async (batchRows, cuts) => {
          const edges = [...new Set([0, ...cuts.sort((a, b) => a - b), 57])];
          const paths = edges.slice(1).map((end, k) => {
            return file(`part-${k}.csv`, `a,b,y\n${rows.slice(edges[k], end).join('\n')}\n`);
          });
          const { columns, target, tally } = await read(paths, { target: 'y', batchRows });
          expect(columns[0]).to.deep.equal(rows.map((_, i) => i));
          expect(columns[1]).to.deep.equal(rows.map((_, i) => i * i));
          expect(target).to.deep.equal(rows.map((_, i) => 100 - i));
          expect(tally).to.deep.equal({ read: 57, invalid: 0 });
        },
      ),
      { seed: 6, numRuns: casesOf(40) },
    );
  });

  it('finds columns by name where files order them otherwise, and refuses files that differ', async () => {
    const first = file('first.csv', 'a,b,y\n1,2,3\n');
    const turned = file('turned.csv', 'y,a,b\n6,4,5\n');
    expect(await read([first, turned], { target: 'y' })).to.deep.include({
      columns: [
        [1, 4],
        [2, 5],
      ],
      target: [3, 6],
    });
    const missing = file('missing.csv', 'a,y\n1,2\n');
    expect(await refusal(read([first, missing], { target: 'y' }))).to.include('missing.csv: has no column "b"');
    const other = file('other.csv', 'a,b,y\n1,word,2\n');
    expect(await refusal(read([first, other], { target: 'y' }))).to.match(
      /other\.csv, column "b": is .* in .*first\.csv/,
    );
  });

  it('names file, column and row of the first value that cannot be used', async () => {
    const path = file('holes.csv', 'a,b,y\n1,1,1\n2,,2\n3,3,3\n,4,4\n,inf,4\n6,6,6\n7,7,\n8,8,8\n');
    expect(await refusal(read(path, { target: 'y', features: ['b', 'a'], nulls: 'error' }))).to.equal(
      `${path}, column "b", row 1, counted from 0: has no value; use \`nulls: 'skip'\` to skip such rows (4 of the 8 rows examined)`,
    );
    const wild = file('wild.csv', 'a,b,y\n1,1,1\n2,2,2\n3,inf,3\n');
    expect(await refusal(read(wild, { target: 'y', nulls: 'error' }))).to.include(
      'column "b", row 2, counted from 0: is not finite',
    );
  });

  it('leaves such rows in their place with weight 0 unless asked otherwise, and counts them', async () => {
    const path = file('skip.csv', 'a,b,y\n1,1,1\n2,,2\n3,3,\nnan,inf,4\n5,5,5\n');
    for (const asked of [{ nulls: 'skip' }, { nulls: 'auto' }, {}] as const) {
      expect(await read(path, { target: 'y', ...asked, batchRows: 2 })).to.deep.include({
        columns: [
          [1, 0, 0, 0, 5],
          [1, 0, 0, 0, 5],
        ],
        target: [1, 0, 0, 0, 5],
        weights: [1, 0, 0, 0, 1],
        tally: { read: 5, invalid: 3 },
      });
    }
  });

  it('names columns without a single value, and counts what is missing in others', async () => {
    const path = file('hollow.csv', 'y,x,z\n1,2,\n3,,\n5,6,\n');
    const options = {
      target: 'y',
      features: ['x', 'z'],
      types: { z: 'float' as const },
      nulls: 'error' as const,
    };
    expect(await refusal(read(path, { ...options, features: ['z'] }))).to.equal(
      `${path}, column "z": has no value in any of the 3 rows read so far; name columns in \`features\` that have values`,
    );
    expect(await refusal(read(path, { ...options, features: ['z'], isFixed: true }))).to.include(
      "has no value; use `nulls: 'skip'`",
    );
    for (const nulls of ['skip', 'error'] as const) {
      const samples = await openRows(path, { ...options, nulls });
      expect(samples.unusable()).to.deep.equal([]);
      await gather(samples.batches(), samples.rows, samples.features).catch(() => {});
      if (nulls === 'skip') {
        expect(samples.unusable()).to.deep.equal([
          { name: 'x', rows: 1 },
          { name: 'z', rows: 3 },
        ]);
      }
      await samples.close();
    }
  });

  it('counts what is missing in a text once, not once a level, and for each pass anew', async () => {
    const path = file('gaps.csv', 'y,town\n1,Ulm\n2,\n3,Bath\n,Ulm\n5,\n');
    const categorical = { town: ['Ulm', 'Bath'] };
    const samples = await openRows(path, { target: 'y', categorical, nulls: 'skip' });
    for (let pass = 0; pass < 2; pass++) {
      await gather(samples.batches(), samples.rows, samples.features);
      expect(samples.unusable()).to.deep.equal([
        { name: 'town', rows: 2 },
        { name: 'y', rows: 1 },
      ]);
    }
    await samples.close();
  });

  it('reads row weights from a column', async () => {
    const path = file('weights.csv', 'a,w,y\n1,0.5,1\n2,2,2\n');
    expect(await read(path, { target: 'y', weights: 'w' })).to.deep.include({
      names: ['a'],
      weights: [0.5, 2],
    });
  });

  it('refuses a weight below 0 or not finite, or counts its row as invalid', async () => {
    const options = { target: 'y', weights: 'w', batchRows: 2 };
    const path = file('negative.csv', 'a,w,y\n1,0.5,1\n2,0,2\n3,3,3\n4,-1e-9,4\n5,5,5\n');
    expect(await refusal(read(path, options))).to.equal(
      `${path}, column "w", row 3, counted from 0: -1e-9 is not a valid weight; weights must be at least 0; fix it, or use \`nulls: 'skip'\` to skip such rows`,
    );
    expect(await read(path, { ...options, nulls: 'skip' })).to.deep.include({
      weights: [0.5, 0, 3, 0, 5],
      target: [1, 2, 3, 0, 5],
      tally: { read: 5, invalid: 1 },
    });
    const endless = file('endless.csv', 'a,w,y\n1,inf,1\n2,nan,2\n3,3,3\n');
    expect(await refusal(read(endless, { ...options, nulls: 'error' }))).to.include(
      'column "w", row 0, counted from 0: is not finite',
    );
    expect(await read(endless, { ...options, nulls: 'skip' })).to.deep.include({ weights: [0, 0, 3] });
  });

  it('refuses weights all of which are too small to compute with, but not a few such beside others', async () => {
    const options: ReadOptions = { target: 'y', weights: 'w', batchRows: 2 };
    const tiny = file('tiny.csv', 'a,w,y\n1,1e-310,1\n2,0,2\n3,3e-310,3\n');
    expect(await refusal(read(tiny, options))).to.equal(
      `${tiny}, column "w": has no weight above 3e-310, and numbers that small lose precision; multiply all weights by one number, so that the largest is about 1`,
    );
    const some = file('some.csv', 'a,w,y\n1,1e-310,1\n2,0,2\n3,1e-150,3\n');
    expect(await read(some, options)).to.deep.include({ weights: [1e-310, 0, 1e-150] });
  });

  it('refuses weights that count no row, and weights that are text, the target or a feature', async () => {
    const path = file('zeros.csv', 'a,w,y\n1,0,1\n2,0,2\n3,0,3\n');
    expect(await refusal(read(path, { target: 'y', weights: 'w', batchRows: 2 }))).to.equal(
      `${path}, column "w": gives every usable row the weight 0; choose another column as \`weights\``,
    );
    expect(await refusal(read(path, { target: 'y', weights: 'y' }))).to.include(
      'column "y": has the weights and cannot be the target too',
    );
    expect(await refusal(read(path, { target: 'y', features: ['a', 'w'], weights: 'w' }))).to.include(
      'column "w": has the weights and cannot be a feature too',
    );
    const named = file('named.csv', 'a,w,y\n1,heavy,1\n2,light,2\n');
    expect(await refusal(read(named, { target: 'y', weights: 'w' }))).to.equal(
      `${named}, column "w": is text, which cannot be used as weights; choose another column as \`weights\``,
    );
  });

  it('says of a target of text what to do if it stands for numbers, also where nothing is a number', async () => {
    const price = file('price.csv', 'x,y\n1,$1.2\n2,$2.5\n3,$3.1\n');
    const message = await refusal(read(price, { target: 'y' }));
    expect(message).to.include('column "y": is text, which is not a number; if it is meant to be numeric, fix');
    expect(message).to.include('read it with `fromSql`').and.not.include('1.2');
    const comma = file('comma.csv', 'x;y\n1,5;2,5\n2,5;3,5\n');
    expect(await refusal(read(comma, { target: 'y' }))).to.include('numbers need a decimal point');
  });

  it('passes over times unless they are named, and then says which features they are', async () => {
    const path = file('times.csv', 'a,sold,y\n1,2024-01-01,1\n2,2024-01-02,2\n4,2024-01-05,3\n');
    const usual = await openRows(path, { target: 'y' });
    expect(usual.design.passedOver![0]).to.include({ name: 'sold', kind: 'time' });
    expect(usual.design).not.to.have.property('times');
    await usual.close();
    const { design, close } = await openRows(path, { target: 'y', features: ['a', 'sold'] });
    expect(design.times).to.deep.equal(['sold']);
    await close();
  });

  it('passes over columns that no number can be made of, and names their types', async () => {
    const path = file('lists.ndjson', '{"a":1,"l":[1,2],"y":2}\n{"a":2,"l":[],"y":3}\n{"a":4,"l":[3],"y":4}\n');
    const { design, close } = await openRows(path, { target: 'y' });
    expect(design.features.map(({ name }) => name)).to.deep.equal(['a']);
    expect(design.passedOver).to.have.length(1);
    expect(design.passedOver![0]).to.include({ name: 'l', kind: 'unsupported' });
    expect(design.passedOver![0]).to.have.property('type');
    await close();
  });

  it('passes over the row index of pandas unless it is named, or has declared levels', async () => {
    const path = file('filtered.csv', '__index_level_0__,x,y\n3,1,1\n5,2,2\n9,4,3\n');
    const usual = await openRows(path, { target: 'y' });
    expect(usual.design.features.map(({ name }) => name)).to.deep.equal(['x']);
    expect(usual.design.passedOver!.map(({ name }) => name)).to.deep.equal(['__index_level_0__']);
    await usual.close();
    const named = await read(path, { target: 'y', features: ['__index_level_0__'] });
    expect(named.columns).to.deep.equal([[3, 5, 9]]);
    const leveled = await read(path, { target: 'y', categorical: { __index_level_0__: ['3', '5'] } });
    expect(leveled.names).to.deep.equal(['__index_level_0__=3', '__index_level_0__=5', 'x']);
    const like = file('like.csv', 'index_level_0,__index_level__,y\n3,1,1\n5,2,2\n9,4,3\n');
    expect((await read(like, { target: 'y' })).names).to.have.length(2);
  });

  it('takes a column as numbers that begin after the sample; in a stream, where it is named', async () => {
    const text = (last: string): string => `y,x,z\n${'1,2,\n'.repeat(10_001)}3,4,${last}\n`;
    const late = file('late.csv', text('5.5'));
    const options = { target: 'y', features: ['z'], nulls: 'skip' } as const;
    const { columns, tally } = await read(late, options);
    expect(columns[0]!.at(-1)).to.equal(5.5);
    expect(tally).to.deep.equal({ read: 10_002, invalid: 10_001 });
    const early = file('early.csv', 'y,z\n1,2\n');
    expect((await read([early, late], options)).tally.invalid).to.equal(10_001);
    const { columns: levels } = await read(file('late text.csv', text('much')), {
      ...options,
      categorical: { z: ['much'] },
    });
    expect(levels[0]!.at(-1)).to.equal(1);

    const streamed = (last: string, asked: ReadOptions) =>
      openRows('-', { stdin: chunks(text(last), 2 ** 16), rows: 10_002, ...asked });
    const usual = await streamed('5.5', { target: 'y' });
    expect(usual.design.passedOver![0]).to.include({ name: 'z', isBlank: true });
    await usual.close();
    const named = await streamed('5.5', options);
    expect((await gather(named.batches(), 10_002, 1)).columns[0]!.at(-1)).to.equal(5.5);
    const strict = await streamed('much', { ...options, nulls: 'error' });
    expect(await refusal(gather(strict.batches(), 10_002, 1)))
      .to.include('row 10001')
      .and.include('text, where a number is expected: the first rows of the table have no value');
  });

  it('takes a JSON key for a column wherever it is first seen in a file, and its type from where it is', async () => {
    const path = file(
      'late.ndjson',
      `${'{"y":1,"x":2}\n'.repeat(10_100)}${'{"y":3,"x":4,"late":5.5,"town":"Ulm"}\n{"late":"?","y":1,"x":0}\n{"late":2,"y":1,"x":0}\n'.repeat(3)}`,
    );
    const { names, columns, tally } = await read(path, {
      target: 'y',
      features: ['x', 'late'],
      nulls: 'skip',
    });
    expect(names).to.deep.equal(['x', 'late']);
    expect(columns[1]!.slice(-3)).to.deep.equal([5.5, 0, 2]);
    expect(tally).to.deep.equal({ read: 10_109, invalid: 10_103 });
    const table = await openTable(path);
    expect(table.rows).to.equal(10_109);
    expect(table.fields.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['y', 'exact'],
      ['x', 'exact'],
      ['late', 'float'],
      ['town', 'text'],
    ]);
    await table.close();
  });

  it('names the first cell that makes text of numbers, as an error or among what it passes over', async () => {
    const path = file('stray.csv', 'a,b,y\n1,2,1\n2,$3,2\n3,4,3\n');
    expect(await refusal(read(path, { target: 'b' }))).to.equal(
      `${path}, column "b", row 1, counted from 0: is not a number, as most rows are; fix it and others like it, or read it with \`fromSql\``,
    );
    const { design, close } = await openRows(path, { target: 'y' });
    expect(design.passedOver).to.have.length(1);
    expect(design.passedOver![0]).to.include({ name: 'b', strayRow: 1 });
    await close();
  });

  it('makes one 0/1 feature per declared level, and 0 for any other value', async () => {
    const path = file('towns.csv', 'town,y\nUlm,1\nBath,2\nLyon,3\nUlm,4\n');
    expect(await read(path, { target: 'y', categorical: { town: ['Bath', 'Ulm'] } })).to.deep.include({
      names: ['town=Bath', 'town=Ulm'],
      columns: [
        [0, 1, 0, 0],
        [1, 0, 0, 1],
      ],
    });
    const codes = file('codes.csv', 'zip,y\n01,1\n02,2\n1,3\n');
    expect(await read(codes, { target: 'y', categorical: { zip: ['01'] } })).to.deep.include({
      columns: [[1, 0, 0]],
    });
  });

  it('takes a text target of two levels as 0 and 1', async () => {
    const path = file('answers.csv', 'a,answer\n1,no\n2,yes\n3,maybe\n');
    const options = { target: 'answer', categorical: { answer: ['no', 'yes'] } };
    expect(await refusal(read(path, options))).to.include(
      'column "answer", row 2, counted from 0: is not one of the declared levels no, yes; use `nulls: \'skip\'`',
    );
    expect(await read(path, { ...options, nulls: 'skip' })).to.deep.include({
      target: [0, 1, 0],
      weights: [1, 1, 0],
    });
    const three = { target: 'answer', categorical: { answer: ['no', 'yes', 'maybe'] } };
    expect(await refusal(read(path, three))).to.include('must have two levels as a target, got 3');
  });

  it('refuses units of short floats in every file, and as values of a dictionary', async () => {
    const float = (type: Float32 | Float64): Vector => vectorFromArray([1, 2], type);
    const withUnits = (name: string, units: Vector): string => {
      const y = float(new Float64());
      const path = join(folder, name);
      writeFileSync(path, tableToIPC(new Table({ x: y, id: units, y }), 'file'));
      return path;
    };
    const long = withUnits('long.arrow', float(new Float64()));
    const short = withUnits('short.arrow', float(new Float32()));
    const coded = withUnits('coded.arrow', vectorFromArray([1, 2], new Dictionary(new Float32(), new Int32())));
    const design = { target: 'y', features: ['x', 'id'], unit: 'id' };
    expect((await read(long, design)).target).to.deep.equal([1, 2]);
    for (const paths of [[short], [long, short], [coded]])
      expect(await refusal(read(paths, design)), `${paths}`).to.include('two units may have become one');
  });

  it('refuses designs that cannot be, by name', async () => {
    const path = file('design.csv', 'a,name,y\n1,x,2\n');
    expect(await refusal(read(path, { target: 'z' }))).to.include('has no column "z"; its columns are a, name, y');
    expect(await refusal(read(path, { target: 'y', features: ['name'] }))).to.include(
      "`categorical: { name: ['A', 'B'] }`",
    );
    const unit = { target: 'y', features: ['a', 'name'], unit: 'name' };
    expect(await refusal(read(path, { ...unit, unit: 'when', features: ['a', 'when'] }))).to.include('when');
    expect(await refusal(read(path, { target: 'y', features: ['y'] }))).to.include('is the target');
    expect(await refusal(read(path, { target: 'y', features: ['a', 'a'] }))).to.include('is listed twice');
    expect(await refusal(read(path, { target: 'name' }))).to.include('column "name": is');
    expect(await refusal(read(file('lone.csv', 'y\n1\n'), { target: 'y' }))).to.include(
      'no numeric column besides the target',
    );
    const bare = file('bare.csv', 'a,y\n');
    expect(await refusal(read(bare, { target: 'y' }))).to.equal(
      `${bare}: has no rows; give at least one row; in a CSV file, rows follow the header line`,
    );
    expect(await refusal(read(bare, { target: 'z' }))).to.equal(
      `${bare}: has no rows; give at least one row; in a CSV file, rows follow the header line`,
    );
  });

  it("refuses a feature of the intercept's name where there is one, and takes it where there is none", async () => {
    const path = file('intercept.csv', 'y,(intercept),x\n1,2,3\n4,5,6\n');
    for (const options of [{}, { features: ['x', '(intercept)'] }]) {
      expect(await refusal(read(path, { target: 'y', intercept: true, ...options }))).to.equal(
        `${path}, column "(intercept)": has the intercept's name, so results could not distinguish the two; rename it, leave it out of \`features\`, or use \`intercept: false\``,
      );
    }
    const { names } = await read(path, { target: 'y', intercept: true, features: ['x'] });
    expect(names).to.deep.equal(['x']);
    expect((await read(path, { target: 'y' })).names).to.deep.equal(['(intercept)', 'x']);
  });

  it('refuses declared levels of a column that is no feature', async () => {
    const path = file('dropped.csv', 'a,town,y\n1,Ulm,2\n');
    const categorical = { town: ['Ulm', 'Bath'] };
    expect(await refusal(read(path, { target: 'y', features: ['a'], categorical }))).to.equal(
      `${path}, column "town": has declared levels but is not a feature; add it to \`features\`, or leave \`categorical: { town: […] }\` out`,
    );
    expect(await refusal(read(path, { target: 'town', features: ['a'], categorical }))).to.equal('nothing');
  });

  it('takes a declared number of rows, and says so when there are fewer', async () => {
    const path = file('declared.csv', 'a,y\n1,1\n2,2\n3,3\n');
    expect(await read(path, { target: 'y', rows: 2 })).to.deep.include({ target: [1, 2] });
    expect(await refusal(read(path, { target: 'y', rows: 5 }))).to.include('ended after 3 of 5 declared rows');
  });

  it('tells of rows beyond the declared number', async () => {
    const path = file('beyond.csv', 'a,y\n1,1\n2,2\n3,3\n');
    for (const [rows, more] of [
      [2, true],
      [3, false],
      [undefined, false],
    ] as const) {
      const samples = await openRows(path, {
        target: 'y',
        batchRows: 2,
        ...(rows === undefined ? {} : { rows }),
      });
      await gather(samples.batches(), samples.rows, 1);
      expect(samples.hasMore(), `${rows}`).to.equal(more);
      await samples.close();
    }
  });

  it('carries nothing from one pass to the next, whichever rows cannot be used', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? `,${i}` : `${i},${i}`));
    const samples = await openRows(file('holes.csv', `a,y\n${lines.join('\n')}\n`), {
      target: 'y',
      nulls: 'skip',
      batchRows: 10,
    });
    const pass = async (most: number): Promise<number[]> => {
      const weights: number[] = [];
      for await (const batch of samples.batches()) {
        weights.push(...(batch.weights ?? new Float64Array(batch.rows).fill(1)));
        if (weights.length >= most) break;
      }
      return weights;
    };
    const expected = lines.map((_, i) => (i % 7 === 3 ? 0 : 1));
    for (const most of [40, 10, 20, 40]) expect(await pass(most)).to.deep.equal(expected.slice(0, most));
    // Two at a time have memory of their own.
    expect(await Promise.all([pass(40), pass(40)])).to.deep.equal([expected, expected]);
    await samples.close();
  });

  it('tell of columns that a later table alone has, unless features are named', async () => {
    const paths = [
      file('first.csv', 'a,y\n1,2\n2,3\n'),
      file('later.csv', 'c,y,a,d\n5,4,3,x\n6,5,4,y\n'),
      file('last.csv', 'y,a,c\n1,2,3\n'),
    ];
    const samples = await openRows(paths, { target: 'y' });
    const onlyIn = { table: paths[1]!, not: paths[0]! };
    expect(samples.design.passedOver).to.deep.equal([
      { name: 'c', onlyIn },
      { name: 'd', onlyIn },
    ]);
    expect(samples.design.features.map(({ name }) => name)).to.deep.equal(['a']);
    await samples.close();
    const named = await openRows(paths, { target: 'y', features: ['a'] });
    expect(named.design.passedOver).to.equal(undefined);
    await named.close();
  });

  it('can be read again from the start, and left early', async () => {
    const path = file('again.csv', `a,y\n${Array.from({ length: 100 }, (_, i) => `${i},${i}`).join('\n')}\n`);
    const samples = await openRows(path, { target: 'y', batchRows: 10 });
    for await (const batch of samples.batches()) {
      expect(batch.rows).to.equal(10);
      break;
    }
    for (let pass = 0; pass < 2; pass++) {
      const { target } = await gather(samples.batches(), 100, 1);
      expect(target[99]).to.equal(99);
    }
    await samples.close();
  });

  it('end all threads of a pass of which one has died', async () => {
    const table = arrayTable([
      { name: 'a', kind: 'float', values: [1, 2] },
      { name: 'y', kind: 'float', values: [3, 4] },
    ]);
    let ended = 0;
    const dead: ReadingThread = {
      ask: async () => {
        throw new Error('a reading thread ended with code 1');
      },
      close: async () => {
        ended++;
      },
    };
    const samples = await tableSamples(
      [{ ...table, format: 'parquet' }],
      { target: 'y', rows: 2 ** 22, threads: 2, batchRows: 16 },
      dead,
    );
    const failed = await gather(samples.batches(), 2, 1).catch((error: Error) => error.message);
    expect(failed).to.equal('a reading thread ended with code 1');
    expect(ended).to.equal(1);
    await samples.close();
    expect(ended).to.equal(1);
  });
});
