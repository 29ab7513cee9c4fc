import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fitPlan } from '../../src/fit/fitPlan.ts';
import { fitRows } from '../../src/fit/fitRows.ts';
import { fitPrivate } from '../../src/fit/private/fitPrivate.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import { evaluateRows as evaluate } from '../../src/model/evaluation.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { planPrivate } from '../../src/plan/private/planPrivate.ts';
import type { Samples } from '../../src/sample/samples.ts';
import { scatter } from '../../src/sample/shuffle/scatter.ts';
import { mapSamples, rowRange } from '../../src/sample/transform/mapSamples.ts';
import { perUnit } from '../../src/sample/transform/perUnit.ts';
import { scaledSamples } from '../../src/sample/transform/scaledSamples.ts';
import { openRows } from '../../src/source/read/openRows.ts';
import { modelOf } from '../support/modelOf.ts';
import { unitScaling } from '../support/unitScaling.ts';

describe('rows without a target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-target-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'rows.csv');
  const lines = Array.from({ length: 3000 }, (_, i) => `${Math.sin(i)},${i}`);
  writeFileSync(path, ['x,y', ...lines, ''].join('\n'));
  const scaling = unitScaling(1);

  /** The message of what must not come to an end. */
  const message = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => 'it ran',
      (error: Error) => error.message,
    );
  const refusal = 'the rows must have a target, got none; open them with the name of the target column';

  it('are refused by whatever learns from targets, before anything is charged', async () => {
    const samples = await openRows(path, { features: ['x'] });
    const plan = planFit({
      rows: 3000,
      features: 1,
      loss: squared(),
      rule: projectedGradient({ stepSize: 0.1 }),
      steps: 2,
    });
    const privatePlan = planPrivate({
      rows: 3000,
      loss: pseudoHuber(0.2),
      scaling,
      epsilon: 10,
      delta: 1e-6,
      steps: 5,
    });
    const wrap = () => expect.fail('no mechanism should be asked for');
    expect(await message(fitRows(samples))).to.equal(refusal);
    expect(await message(fitPlan(samples, plan))).to.equal(refusal);
    expect(await message(fitPrivate(samples, privatePlan, { wrap }))).to.equal(refusal);
    expect(await message(evaluate(modelOf([1]), samples))).to.equal(refusal);
    await samples.close();
  });

  it('have none whatever is made of them', async () => {
    const samples = await openRows(path, { features: ['x', 'y'] });
    const wrappers: readonly ((samples: Samples) => Samples)[] = [
      same => mapSamples(same, batch => batch),
      same => rowRange(same, 0, 100),
      same => scatter(same, { cells: [3000], random: seeded(1, 'order') }),
      same => scaledSamples({ ...same, namesRows: false }, unitScaling(2)),
      same => perUnit(same, 1),
    ];
    for (const wrap of wrappers) expect(await message(fitRows(wrap(samples)))).to.equal(refusal);
    await samples.close();
  });
});
