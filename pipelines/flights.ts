// 3 million US flights of 2001: minutes of delay on distance and hour of departure, robustly and by ordinary least squares.
// Some delays exceed a thousand minutes and pull least squares along; the robust fit says what a typical flight does.
import { fileURLToPath } from 'node:url';
import { estimate, lossByName, mapSamples, openSamples } from '../src/index.ts';

const path = fileURLToPath(import.meta.resolve('vega-datasets')).replace(
  /build.*/,
  'data/flights-3m.parquet',
);
const flights = await openSamples(path, { target: 'delay', features: ['distance', 'date'] });
const hourly = mapSamples(flights, batch => {
  const [, date] = batch.columns;
  for (let i = 0; i < batch.rows; i++) date![i] = (date![i]! % 86_400) / 3600;
  return batch;
});

const robust = await estimate(hourly);
const leastSquares = { loss: lossByName('squared'), aggregate: 'mean', mode: 'full', steps: 12 } as const;
const ordinary = await estimate(hourly, leastSquares);
await flights.close();

console.log('minutes of delay    per 1,000 miles  per hour of day  at midnight');
for (const [name, { fit }] of [['robust fit', robust] as const, ['least squares', ordinary] as const]) {
  const [distance, hour, constant] = fit.theta;
  const numbers = [1000 * distance!, hour!, constant!].map(value => value.toFixed(2).padStart(16));
  console.log(name.padEnd(18), ...numbers);
}
const { fit, plan, loss } = robust;
console.log(
  `${fit.rows.used} rows in ${plan.steps.length} steps, ${loss.name}(${loss.parameter!.toFixed(1)}) loss`,
);
