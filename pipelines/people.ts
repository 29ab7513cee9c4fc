// 200,000 synthetic people for docs/tutorial.md, sorted by age: income (in thousands a year) = 4 + 0.9 hours + 0.25 age
// - 0.05 commute + 4 t(3). Two kinds of entry error: 3 % of the people gave hours per month instead of per week, and 1
// % an income in units instead of thousands. `--clean` leaves these errors out.
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as report from '../src/sink/index.ts';

const [path = 'people.parquet', flag] = process.argv.slice(2);
const rows = 200_000;
const random = sluice.seeded('people', 'tutorial');
const between = (low: number, high: number): number => low + (high - low) * paper.uniform(random);
const filled = (value: () => number): Float64Array => Float64Array.from({ length: rows }, value);

const age = filled(() => Math.floor(between(18, 67))).sort();
const hours = filled(() => Math.round(between(8, 48)));
const commute = filled(() => Math.round(between(5, 60) + between(0, 30)));
const income = age.map((years, i) =>
  Math.max(0, 4 + 0.9 * hours[i]! + 0.25 * years - 0.05 * commute[i]! + 4 * paper.studentT(random, 3)),
);
const spoil = (column: Float64Array, share: number, factor: number): void =>
  column.forEach((value, i) => {
    if (paper.uniform(random) < share && flag !== '--clean') column[i] = Math.round(factor * value);
  });
spoil(hours, 0.03, 4.3);
spoil(income, 0.01, 1000);

const file = await report.openPredictionSink(path, { columns: ['age', 'hours', 'commute', 'income'] });
await file.write([age, hours, commute, income.map(value => Number(value.toFixed(1)))], rows);
await file.commit();
console.log(`${path}: ${rows} people`);
