import { expect } from 'chai';
import { fitTable } from '../../../src/cli/render/fitTable.ts';
import { displayWidth } from '../../../src/cli/render/text.ts';
import type { Model } from '../../../src/model/model.ts';
import { plainReport } from '../../support/reportModels.ts';

const headOf = (text: string): readonly string[] => text.split('\n')[0]!.trim().split(/ {2,}/);

const modelOf = (
  rows: Readonly<Record<string, readonly [estimate: number, error: number, low: number, high: number]>>,
): Model => {
  const by = <T>(read: (row: readonly [number, number, number, number]) => T) =>
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, read(row)]));
  return {
    ...plainReport,
    features: Object.keys(rows),
    coefficients: by(([estimate]) => estimate),
    intercept: null,
    uncertainty: {
      ...plainReport.uncertainty!,
      errors: by(([, error]) => error),
      intervals: by(([, , low, high]) => [low, high] as const),
    },
  };
};

describe('fitTable', () => {
  it('has t and its p-value where degrees of freedom are known, z otherwise', () => {
    // P(|T| > 2.5) of 10 degrees of freedom is 0.0314, of a normal variable 0.0124.
    const model = modelOf({ a: [2.5, 1, 0, 5] });
    const row = '  a      2.50        1.00  ';
    expect(fitTable(model, { degrees: [10] }).split('\n')[1]).to.equal(`${row}2.50  0.031   0.00 .. 5.00`);
    expect(fitTable(model).split('\n')[1]).to.equal(`${row}2.50  0.012   0.00 .. 5.00`);
    expect([headOf(fitTable(model, { degrees: [10] }))[2], headOf(fitTable(model))[2]]).to.deep.equal(['t', 'z']);
  });

  it('takes the degrees of freedom in the order of the features, whatever their names', () => {
    const model = modelOf({ x: [2.5, 1, 0, 5], 7: [2.5, 1, 0, 5] });
    const lines = fitTable({ ...model, features: ['x', '7'] }, { degrees: [10, 1e6] }).split('\n');
    expect(lines[1]).to.match(/^ {2}x .* 0\.031 /);
    expect(lines[2]).to.match(/^ {2}7 .* 0\.012 /);
  });

  it('aligns decimal points', () => {
    const lines = fitTable(plainReport).trimEnd().split('\n').slice(1);
    const places = lines.map(line => /^ {2}\S+ +-?\d+(?=[. ])/.exec(line)![0].length);
    expect(new Set(places)).to.have.property('size', 1);
  });

  it('leaves out what others imply where the terminal is narrow, and shortens names at last', () => {
    const heads = [200, 88, 80, 68, 58, 20].map(width => headOf(fitTable(plainReport, { width })));
    const all = ['estimate', 'std. error', 'z', 'p', '95 % interval'];
    expect(heads[0]).to.deep.equal(all);
    expect(heads[1]).to.deep.equal(all);
    expect(heads[2]).to.deep.equal(all.filter(name => name !== 'z'));
    expect(heads[3]).to.deep.equal(['estimate', 'p', '95 % interval']);
    expect(heads[4]).to.deep.equal(['estimate', '95 % interval']);
    expect(heads[5]).to.deep.equal(['estimate']);
  });

  it('has dashes where a number is not known, and estimates alone where no error is', () => {
    const exact = fitTable(modelOf({ a: [2, 0, 2, 2] })).split('\n')[1]!;
    expect(exact).to.match(/^ {2}a {2}2\.000000 +0\.00 +- {2}- +2\.000000 \.\. 2\.000000$/);
    const { uncertainty: _, ...bare } = plainReport;
    expect(headOf(fitTable(bare))).to.deep.equal(['estimate']);
    expect(fitTable(bare)).to.include('  weekday          0.04\n');
  });

  it('names coefficients that were left out', () => {
    const model = modelOf({ a: [2.5, 1, 0, 5] });
    const lines = fitTable({ ...model, features: ['a', 'b'], coefficients: { a: 2.5, b: 0 } }).split('\n');
    expect(lines[2]).to.match(/^ {2}b +0 +left out$/);
  });

  const widthsOf = (text: string): readonly number[] => text.trimEnd().split('\n').map(displayWidth);

  it('shortens long names before it leaves out a number, keeps them apart, and is never wider than the terminal', () => {
    const long = 'the_mean_distance_to_the_next_station_in_kilometres';
    const rowsOf = (...names: string[]) => Object.fromEntries(names.map(name => [name, [25.5, 1, 20, 31] as const]));
    for (const names of [
      [`${long}=north`, `${long}=south`, 'x'],
      [`north=${long}`, `south=${long}`, 'x'],
      [`städte=${'ü'.repeat(40)}a`, `städte=${'ü'.repeat(40)}b`, `städte=${'ü'.repeat(40)}c`],
      ['東京都千代田区一番町二番地', '東京都千代田区一番町三番地', '東京都千代田区四番町二番地'],
      // They differ in their middle alone.
      ...[1, 3].map(letters => ['a', 'b', 'c'].map(letter => `${long}${letter.repeat(letters)}${long}`)),
    ]) {
      const model = modelOf(rowsOf(...names));
      expect(headOf(fitTable(model, { width: 80 }))).to.deep.equal(headOf(fitTable(model)));
      for (const width of [24, 40, 60, 63, 80, 120, 200]) {
        const table = fitTable(model, { width });
        expect(Math.max(...widthsOf(table)), `${width}\n${table}`).to.be.at.most(width);
        const shown = table
          .trimEnd()
          .split('\n')
          .slice(1)
          .map(line => line.trim().split(/ {2,}/)[0]);
        expect(new Set(shown).size, table).to.equal(names.length);
      }
    }
    // Numbers of many digits.
    const wide = modelOf({ [long]: [123456789.25, 0.03, 123456789.19, 123456789.31], y: [1e-9, 1e-12, 0, 2e-9] });
    for (const width of [40, 60, 80, 100])
      expect(Math.max(...widthsOf(fitTable(wide, { width })))).to.be.at.most(width);
  });

  it('never shows an interval without a width', () => {
    for (const exponent of [-12, -3, 0, 3, 6, 9, 11])
      for (const relative of [1e-3, 1e-6, 1e-8, 1e-11]) {
        const estimate = 2 * 10 ** exponent;
        const error = 6.32 * relative * estimate;
        const model = modelOf({ a: [estimate, error, estimate - 2 * error, estimate + 2 * error] });
        const line = fitTable(model).split('\n')[1]!;
        const [lower, upper] = /(\S+) \.\. (\S+)$/.exec(line)!.slice(1).map(Number) as [number, number];
        expect((upper - lower) / (4 * error), line).to.be.closeTo(1, 0.1);
      }
  });
});
