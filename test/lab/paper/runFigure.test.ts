import { Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { descendArrays } from '../../../src/lab/paper/descendArrays.ts';
import { figureByName, figures } from '../../../src/lab/paper/exhibits.ts';
import type { Figure } from '../../../src/lab/paper/figure.ts';
import { figureWork, iteratesOf, runFigure } from '../../../src/lab/paper/runFigure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { simulatedGaussian } from '../../../src/privacy/simulatedGaussian.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { withFile } from '../../support/arrowFiles.ts';

/** The same point by the plain loops that are the pipeline's oracle. */
function byArrays(figure: Figure, reading: string, rows: number, seed: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const { sample, measure, readings, sizes } of figure.studies) {
    const { batch, truth } = sample(Math.max(...sizes.filter(size => size <= rows)), seed);
    const data = rowsBetween(batch, 0, rows);
    const plans = readings.find(({ name }) => name === reading)!.plans(rows);
    for (const [series, plan] of Object.entries(plans)) {
      const noise = simulatedGaussian(seeded(seed, `${figure.name}, ${series}, ${rows}`));
      found.set(series, measure(data, truth)(descendArrays(data, plan, noise).at(-1)!.theta));
    }
  }
  return found;
}

/** The rows as an Arrow file, in record batches of so many. */
function arrowOf({ rows, columns, target }: SampleBatch, batchRows: number): Uint8Array {
  const vectors = { ...Object.fromEntries(columns.map((column, j) => [`x${j}`, column])), y: target };
  const tables = Array.from({ length: Math.ceil(rows / batchRows) }, (_, k) =>
    tableFromArrays(
      Object.fromEntries(
        Object.entries(vectors).map(([name, values]) => [name, values.slice(k * batchRows, (k + 1) * batchRows)]),
      ),
    ),
  );
  return tableToIPC(new Table(tables.flatMap(({ batches }) => batches)), 'file');
}

describe('runFigure', () => {
  for (const [name, reading, rows] of [
    ['plot1', 'primary', 1000],
    ['plot1', 'parallel delta=1e-6', 1000],
    ['plot2', 'T=n^(2/5) log n', 500],
    ['plot3', 'primary', 5000],
    ['plot3', 'exact', 2000],
    ['plot3', 'full batch', 1000],
    ['plot5', 'primary', 2000],
    ['plot6', 'split', 5000],
    ['plot7', 'primary', 500],
  ] as const) {
    it(`gives ${name}, ${reading}, what the reference descent gives`, async () => {
      const figure = figureByName(name);
      const expected = byArrays(figure, reading, rows, 3);
      const points = await runFigure(figure, 3, { reading, sizes: [rows] });
      expect(points.map(({ series }) => series)).to.have.members([...expected.keys()]);
      for (const { series, x, value } of points) {
        expect(x).to.equal(rows);
        expect(value, series).to.be.closeTo(expected.get(series)!, 1e-6);
      }
    });
  }

  for (const [name, rows, batchRows] of [
    ['plot3', 5000, 700],
    ['plot5', 2000, 2000],
    ['plot6', 1000, 64],
  ] as const) {
    it(`gives ${name} the bits of the same rows in an Arrow file, in record batches of ${batchRows}`, async () => {
      const figure = figureByName(name);
      const { sample, measure, readings, sizes } = figure.studies[0]!;
      const { batch, truth } = sample(Math.max(...sizes.filter(size => size <= rows)), 3);
      const data = rowsBetween(batch, 0, rows);
      const found = await withFile(arrowOf(data, batchRows), async path => {
        const values = new Map<string, number>();
        for (const [series, plan] of Object.entries(readings[0]!.plans(rows))) {
          const features = data.columns.map((_, j) => `x${j}`);
          const forPrivate = plan.privacy !== null;
          const samples = await openRows(path, { target: 'y', features, forPrivate });
          const noise = simulatedGaussian(seeded(3, `${name}, ${series}, ${rows}`));
          const { theta } = await lastValueFrom(iteratesOf(plan, samples, noise));
          values.set(series, measure(data, truth)(theta));
          await samples.close();
        }
        return values;
      });
      const points = await runFigure({ ...figure, studies: figure.studies.slice(0, 1) }, 3, {
        reading: 'primary',
        sizes: [rows],
      });
      expect(new Map(points.map(({ series, value }) => [series, value]))).to.deep.equal(found);
    });
  }

  it('gives plot4 every t, and Nesterov’s method two points before its first gradient', async () => {
    const points = await runFigure(figureByName('plot4'), 0, { reading: 'primary', sizes: [600] });
    const of = (series: string): Map<number, number> =>
      new Map(points.filter(point => point.series === series).map(({ x, value }) => [x, value]));
    const [plain, fast] = [of('GD n=600'), of('AGD n=600')];
    const steps = Array.from({ length: 21 }, (_, t) => t);
    expect([...plain.keys()]).to.deep.equal(steps);
    expect([...fast.keys()]).to.deep.equal(steps);
    expect(fast.get(0)).to.equal(Math.log(10));
    expect(fast.get(1)).to.equal(fast.get(0));
    expect(fast.get(2)).to.be.below(fast.get(1)!);
    expect(plain.get(1)).to.be.below(plain.get(0)!);
  });

  it('gives the same bits for the same seed, and others for another', async () => {
    const run = (seed: number) => runFigure(figureByName('plot3'), seed, { reading: 'primary', sizes: [1000] });
    expect(await run(1)).to.deep.equal(await run(1));
    expect(await run(1)).not.to.deep.equal(await run(2));
  });

  it('tells of its work, which adds up to what was announced', async () => {
    const options = { reading: 'primary', sizes: [1000, 2000] };
    let done = 0;
    await runFigure(figureByName('plot5'), 0, {
      ...options,
      onWork: work => {
        done += work;
      },
    });
    expect(done)
      .to.equal(figureWork(figureByName('plot5'), options))
      .and.be.above(0);
  });
});

describe('the figures', () => {
  it('have readings of their own names, the primary one first, the same in every study', () => {
    for (const { name, studies } of figures()) {
      const names = studies.map(({ readings }) => readings.map(({ name }) => name));
      expect(names[0]![0], name).to.equal('primary');
      expect(new Set(names[0]).size, name).to.equal(names[0]!.length);
      for (const other of names) expect(other, name).to.deep.equal(names[0]);
      // They go into CSV files as they are.
      for (const reading of names[0]!) expect(reading).to.match(/^[^",\n]+$/);
    }
  });

  it('show the private ones with calibrations that suffice and with a small delta', () => {
    for (const name of ['plot1', 'plot2', 'plot3']) {
      for (const { name: reading, plans } of figureByName(name).studies[0]!.readings.slice(0, 6)) {
        for (const { privacy, mode } of Object.values(plans(3000))) {
          expect(privacy!.delta, reading).to.equal(reading.includes('1e-6') ? 1e-6 : 1 / 3);
          const calibration = /^(exact|parallel)/.exec(reading)?.[0] ?? 'paper';
          expect(privacy!.calibration, reading).to.equal(calibration);
          if (calibration !== 'paper') expect(mode).to.equal(calibration === 'exact' ? 'full' : 'fresh');
        }
      }
    }
  });

  const plansOf = (name: string, reading: string, rows: number) =>
    figureByName(name)
      .studies[0]!.readings.find(other => other.name === reading)!
      .plans(rows);

  it('have controls in which the methods differ in nothing but what is compared', () => {
    const noisy = plansOf('plot1', 'one noise formula', 4000);
    for (const epsilon of [0.5, 0.9]) {
      const [fast, plain] = [noisy[`ACCFW eps=${epsilon}`]!, noisy[`FW eps=${epsilon}`]!];
      const formula = ({ length: T }: { length: number }) =>
        (Math.sqrt(10) + 10 / (4 * Math.sqrt(10))) *
        (Math.sqrt(64 * T * Math.log(7.5 * T) * Math.log(6)) / (4000 * epsilon));
      for (const { steps } of [fast, plain]) {
        expect(steps[0]!.release!.sigma).to.be.closeTo(formula(steps), 1e-12);
      }
      const usual = plansOf('plot1', 'primary', 4000);
      expect(fast.steps).to.deep.equal(usual[`ACCFW eps=${epsilon}`]!.steps);
      expect(plain.steps).to.have.length(usual[`FW eps=${epsilon}`]!.steps.length);
    }
    const { AGD, GD } = plansOf('plot5', 'GD as AGD', 10_000);
    expect(GD!.rule.name).to.equal('projected-gradient');
    expect(GD!.steps.slice(0, AGD!.steps.length)).to.deep.equal(AGD!.steps);
    const { ACCFW, FW } = plansOf('plot7', 'one T', 2000);
    expect(FW!.steps).to.deep.equal(ACCFW!.steps);
    expect(FW!.rule.name).to.equal('frank-wolfe');
  });

  it('have every series of the primary reading at every n, and compare series that exist', () => {
    for (const { name, claim, studies, overSteps } of figures()) {
      const series = studies.flatMap(({ readings, sizes }) => {
        const names = sizes.map(rows => Object.keys(readings[0]!.plans(rows)));
        if (!overSteps) for (const other of names) expect(other, name).to.deep.equal(names.at(-1));
        return names.flat();
      });
      for (const { lower, upper } of claim.comparisons) expect(series, name).to.include.members([lower, upper]);
      const sizes = studies.flatMap(study => study.sizes);
      if (!overSteps) {
        expect(claim.range.to, name).to.equal(Math.max(...sizes));
        expect(claim.range.from, name).to.equal(Math.max(...sizes) / 2);
      }
    }
  });
});
