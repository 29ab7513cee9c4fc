import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { perUnit } from '../../../src/sample/transform/perUnit.ts';
import { scaledSamples } from '../../../src/sample/transform/scaledSamples.ts';
import { scalingOf } from '../../../src/sample/transform/scaling.ts';
import { openRows } from '../../../src/source/read/openRows.ts';

const rows = 400;
const unit = { least: -1, most: 1 };
const scaling = scalingOf({
  features: 1,
  bounds: { intervals: [unit] },
  target: unit,
  intercept: true,
  scalesTarget: true,
});
const plan = planPrivate({
  rows,
  loss: pseudoHuber(0.2),
  scaling,
  epsilon: 2,
  delta: 1e-6,
  moments: 'no',
  steps: 3,
});
const options = { target: 'y', features: ['x'], forPrivate: true } as const;

describe('rows of a file for a private run', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-private-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const csv = (name: string, spoilt: string): string => {
    const path = join(folder, name);
    const lines = Array.from({ length: rows }, (_, i) => (i === 123 ? spoilt : `${Math.sin(i)},${Math.cos(i)}`));
    writeFileSync(path, `x,y\n${lines.join('\n')}\n`);
    return path;
  };

  it('are taken whatever one of them holds, and give the same run as if it were empty', async () => {
    const fitted = async (spoilt: string, k: number): Promise<readonly number[]> => {
      const samples = await openRows(csv(`${k}.csv`, spoilt), options);
      try {
        expect(samples.rows).to.equal(rows);
        return [...(await fitPrivate(samples, plan, { random: seeded(1, 'noise') })).theta];
      } finally {
        await samples.close();
      }
    };
    const empty = await fitted(',', 0);
    for (const [k, spoilt] of ['text,0', '0,"', '1', '1,2,3', 'NaN,0', '1e999,0'].entries()) {
      expect(await fitted(spoilt, k + 1), spoilt).to.deep.equal(empty);
    }
  });

  it('are refused before any is read where errors would name one of them, also behind perUnit', async () => {
    const samples = await openRows(csv('named.csv', 'text,0'), {
      target: 'y',
      features: ['x'],
      types: { x: 'mixed' },
    });
    const refusal = 'open them with the option forPrivate';
    expect(() => scaledSamples(samples, scaling)).to.throw(refusal);
    expect(() => scaledSamples(perUnit(samples, 2), scaling)).to.throw(refusal);
    const message = await fitPrivate(samples, plan).catch((error: Error) => error.message);
    expect(message).to.include(refusal);
    await samples.close();
  });

  it('need columns by name, and no policy that refuses rows', async () => {
    const path = csv('unnamed.csv', '0,0');
    const message = (given: object): Promise<string> =>
      openRows(path, { ...options, ...given }).then(
        () => 'opened',
        (error: Error) => error.message,
      );
    expect(await message({ features: undefined })).to.include('need `target` and `features` by name');
    expect(await message({ nulls: 'error' })).to.include('leave out the options nulls and malformed');
    expect(await message({ malformed: 'error' })).to.include('leave out the options nulls and malformed');
  });

  it('say nothing of the first line of a file without a header', async () => {
    const path = join(folder, 'headless.csv');
    for (const first of ['6.25,secret,0', 'secret,secret,1']) {
      writeFileSync(path, `${first}\n1,2,3\n`);
      const message = await openRows(path, options).then(
        () => 'opened',
        (error: Error) => error.message,
      );
      expect(message).to.not.include('secret').and.not.equal('opened');
    }
  });

  it('take the columns of NDJSON that are named, whatever other keys a row has', async () => {
    const path = join(folder, 'keys.ndjson');
    writeFileSync(path, '{"x":1,"y":2,"secret":3}\n{"y":1,"x":2}\n');
    const samples = await openRows(path, options);
    expect(samples.design.features.map(({ name }) => name)).to.deep.equal(['x']);
    expect(samples.design.passedOver ?? []).to.deep.equal([]);
    await samples.close();
  });
});
