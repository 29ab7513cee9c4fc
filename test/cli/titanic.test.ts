import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { Model } from '../../src/model/model.ts';
import { runCli } from '../support/runCli.ts';

const passengers = 891;

/** A list of passengers as such lists are: an index without a name, names, codes, blanks, and words for blanks. */
function passengerList(): readonly (readonly (string | number)[])[] {
  const random = seeded('titanic', 'rows');
  const among = <T>(items: readonly T[]): T => items[Math.floor(items.length * uniform(random))]!;
  return Array.from({ length: passengers }, (_, i) => {
    const sex = uniform(random) < 0.65 ? 'male' : 'female';
    const pclass = among([1, 2, 3, 3]);
    const age = Math.round(Math.max(1, 30 + 14 * normal(random)));
    const score = (sex === 'female' ? 2.5 : 0) - 1.1 * (pclass - 2) - 0.03 * (age - 30) - 1.1;
    const embarked = i % 400 === 7 ? '' : i % 200 === 9 ? 'Belfast' : among(['S', 'S', 'S', 'S', 'C', 'C', 'Q']);
    const fare = Math.round(1000 * Math.exp(3 + normal(random))) / 1000;
    return [
      i,
      uniform(random) < 1 / (1 + Math.exp(-score)) ? 'yes' : 'no',
      pclass,
      `"${among(['Brown', 'Olsen', 'Rice'])}, ${sex === 'male' ? 'Mr.' : 'Mrs.'} ${among(['A.', 'B.'])} ${i}"`,
      sex,
      i % 5 === 0 ? '' : age,
      `${among(['PC ', 'A/5 ', ''])}${among([1601, 2343, 10_000 + i, 10_000 + i, 10_000 + i])}`,
      i % 30 === 4 ? among(['n/a', '?']) : fare,
      i % 5 === 3 ? `${among(['B', 'C', 'E'])}${i % 90}` : '',
      embarked,
    ];
  });
}

describe('sluice fit titanic.csv --target survived', () => {
  let folder: string;
  let csv: string;
  let out: string;
  const rows = passengerList();
  const write = (path: string, some: typeof rows): void =>
    writeFileSync(
      path,
      `,survived,pclass,name,sex,age,ticket,fare,cabin,embarked\n${some.map(row => row.join()).join('\n')}\n`,
    );
  const run = async (...args: readonly string[]) => {
    const done = await runCli(args);
    expect(done.code, done.stderr).to.equal(0);
    return done;
  };
  const modelIn = (path: string): Model => JSON.parse(readFileSync(path, 'utf8'));
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-titanic-'));
    csv = join(folder, 'titanic.csv');
    out = join(folder, 'model.json');
    write(csv, rows);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('just works: levels, blanks, names and an index need no flag', async () => {
    await run('fit', csv, '--target', 'survived', '--out', out, '--quiet');
    const { features, loss, categorical, reference, coefficients, choices, notes, rows: account } = modelIn(out);
    expect(features).to.deep.equal(['pclass', 'sex=female', 'age', 'fare', 'embarked=C', 'embarked=Q']);
    expect(loss.name).to.equal('logistic');
    expect(categorical).to.deep.equal({
      survived: ['no', 'yes'],
      sex: ['female'],
      embarked: ['C', 'Q'],
    });
    expect(reference).to.deep.equal({ sex: ['male'], embarked: ['S', 'Belfast'] });
    expect(coefficients['sex=female']).to.be.closeTo(2.5, 0.6);
    expect(coefficients['pclass']).to.be.closeTo(-1.1, 0.4);
    const missing = rows.filter(row => row[5] === '' || row[9] === '' || row[7] === 'n/a' || row[7] === '?').length;
    expect(account).to.include({ read: passengers, invalid: missing });
    expect(choices).to.include('"survived" is text: "yes" counts as 1, "no" as 0');
    const told = notes!.join('\n');
    expect(told).to.include('"" is pandas\' row index and was left out');
    expect(told).to.match(/"name" and "ticket" were left out: most rows have a text that fewer than 10 rows have/);
    expect(told).to.match(/"cabin" \(80 %\) was left out for the share of rows without a value/);
    expect(told).to.match(
      /"fare" has "(n\/a" or "\?|\?" or "n\/a)" in place of numbers, which count as missing \(30 rows/,
    );
    expect(told).to.include(`${missing} of ${passengers} rows`);
    expect(told).to.include('rare levels of "embarked" count as its reference ("Belfast": 5 of 888 rows)');
  });

  it('gives the same model to the bit with any number of threads', async () => {
    const again = join(folder, 'again.json');
    await run('fit', csv, '--target', 'survived', '--threads', '2', '--out', again, '--quiet');
    expect(readFileSync(again, 'utf8')).to.equal(readFileSync(out, 'utf8'));
  });

  it('evaluates and predicts with the levels of the fit, whatever levels other rows have', async () => {
    const { stdout } = await run('evaluate', out, csv, '--json', '--quiet');
    const { rows: used } = modelIn(out);
    expect(JSON.parse(stdout).rows).to.equal(passengers - used.invalid!);
    const few = join(folder, 'few.csv');
    const like = (sex: string, embarked: string, age: number | '') => [
      0,
      'no',
      2,
      'N',
      sex,
      age,
      'T',
      20,
      '',
      embarked,
    ];
    write(few, [like('female', 'S', 30), like('male', 'Belfast', 30), like('male', 'Oslo', 30), like('male', 'C', '')]);
    const predictions = join(folder, 'predictions.csv');
    const { stdout: made, stderr } = await run('predict', out, few, '--out', predictions, '--quiet');
    expect(made).to.include('1 invalid row has none (null)');
    expect(stderr).to.include('1 of 4 rows has a level of "embarked" that the fit did not see ("Oslo")');
    const [female, belfast, oslo, none] = readFileSync(predictions, 'utf8').trim().split('\n').slice(1);
    expect(Number(female)).to.be.greaterThan(0.5);
    expect(oslo).to.equal(belfast);
    expect(none).to.equal('""');
  });

  it('stops at the first blank where that was asked for', async () => {
    const { code, stderr } = await runCli(['fit', csv, '--target', 'survived', '--nulls', 'error', '--quiet']);
    expect(code).to.equal(2);
    expect(stderr).to.include('titanic.csv, column "age", row 0, counted from 0: has no value');
  });
});
