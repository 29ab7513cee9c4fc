// 3 million US flights of 2001: minutes of delay on distance, hour of departure and weekday, relative to Monday. A few
// delays of a thousand minutes distort least squares; the robust fit describes a typical flight. The file is sorted by
// date, so steps on rows in file order each see different weeks.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as files from '../src/files.ts';
import * as fit from '../src/fit/index.ts';
import * as flow from '../src/flow/index.ts';
import type * as sluice from '../src/index.ts';
import * as methods from '../src/method/index.ts';
import * as report from '../src/sink/index.ts';
import * as source from '../src/source/index.ts';

const path = fileURLToPath(new URL('../data/flights-3m.parquet', import.meta.resolve('vega-datasets')));
const flights = await source.openRows(path, { target: 'delay', features: ['distance', 'date'] });
const weekdays = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const names = ['1,000 miles', 'hour of the day', ...weekdays];
const described = ({ columns: [miles, seconds], target, rows }: sluice.SampleBatch) => {
  const hours = seconds!.map(value => (value % 86_400) / 3600);
  const days = seconds!.map(value => (Math.floor(value / 86_400) + 3) % 7); // since a Monday; 1970 began on a Thursday
  const isDay = weekdays.map((_, k) => days.map(day => Number(day === k + 1)));
  return { columns: [miles!.map(value => value / 1000), hours, ...isDay], target, rows };
};
const departures = flow.mapSamples(flights, described, names.length);

async function fitted(label: string, { order = 'shuffle', ...rest }: fit.FitRowsOptions) {
  console.error(`${label}: ${flights.rows} rows …`);
  const found = await fit.fitRows(departures, { order, ...rest });
  return fit.estimateModel(found, { target: 'delay', names, order });
}
const robust = await fitted('robustly, shuffled', {});
const inOrder = await fitted('robustly, in the order of the file', { order: 'as-is' });
const squared = { loss: methods.lossByName('squared'), aggregate: 'mean', mode: 'full' } as const;
const ordinary = await fitted('by least squares', squared);
await flights.close();
mkdirSync('out', { recursive: true });
await files.writeWhole('out/flights.html', await report.htmlReport(robust));

const line = (...cells: string[]) => console.log(cells.map(cell => cell.padStart(16)).join(''));
line('minutes of delay', 'robust fit', '95 % interval', 'least squares', 'robust, sorted');
for (const name of [...names, '(intercept)']) {
  const of = (model: sluice.Model) => (model.coefficients[name] ?? model.intercept!).toFixed(2);
  const interval = robust.uncertainty!.intervals[name]!.map(end => end.toFixed(2)).join(' .. ');
  line(name, of(robust), interval, of(ordinary), of(inOrder));
}
console.log(`${inOrder.notes!.at(-1)}\nthe robust fit as a page: out/flights.html`);
