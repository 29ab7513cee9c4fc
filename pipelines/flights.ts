// 3 million US flights of 2001, sorted by date: minutes of delay on distance and hour of departure, robustly and by ordinary least squares.
// A few delays of a thousand minutes and more pull least squares along; the robust fit says what a typical flight does.
import { fileURLToPath } from 'node:url';
import {
  cellsOf,
  fitSamples,
  layoutRows,
  lossByName,
  mapSamples,
  openSamples,
  scatter,
  seeded,
} from '../src/index.ts';

const path = fileURLToPath(import.meta.resolve('vega-datasets')).replace(
  /build.*/,
  'data/flights-3m.parquet',
);
const flights = await openSamples(path, { target: 'delay', features: ['distance', 'date'] });
const hourly = mapSamples(flights, batch => {
  const [distance, date] = batch.columns as [Float64Array, Float64Array];
  for (let i = 0; i < batch.rows; i++) date[i] = (date[i]! % 86_400) / 3600;
  return { ...batch, columns: [distance, date] };
});

const layout = layoutRows({
  rows: hourly.rows,
  size: 3,
  aggregate: 'median-of-means',
  failureProbability: 0.05,
  pilot: true,
});
const shuffled = scatter(hourly, {
  cells: cellsOf(layout),
  random: seeded(2001, 'order'),
  memoryBytes: 2 ** 27,
});
const settings = { intercept: true, method: 'auto', failureProbability: 0.05 } as const;

const robust = await fitSamples(shuffled, {
  ...settings,
  layout,
  loss: 'auto',
  aggregate: 'median-of-means',
});
const ordinary = await fitSamples(shuffled, {
  ...settings,
  layout: { ...layout, mode: 'full', schedule: null, steps: 12, blocks: 1 },
  loss: lossByName('squared'),
  aggregate: 'mean',
});
await shuffled.close();
await flights.close();

console.log('minutes of delay        per 1,000 miles   per hour of the day   at midnight');
for (const [name, { fit }] of Object.entries({ 'robust fit': robust, 'least squares': ordinary })) {
  const [distance, hour, constant] = fit.theta as unknown as [number, number, number];
  console.log(
    name.padEnd(24),
    (1000 * distance).toFixed(2).padStart(10),
    hour.toFixed(3).padStart(21),
    constant.toFixed(2).padStart(13),
  );
}
console.log(
  `${robust.fit.rows.used} fresh rows in ${robust.plan.steps.length} steps, ${robust.loss.name}(${robust.loss.parameter?.toFixed(1)})`,
);
