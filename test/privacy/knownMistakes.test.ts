/** Mistakes that other implementations of private regression made, and this one must not make. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { integerSummer } from '../../src/engine/kernel/integerSummer.ts';
import { fastIntegerSummer } from '../../src/engine/kernel/wasmSummer.ts';
import * as check from '../../src/errors.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { norm } from '../../src/math/vector.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { gaussianEvent } from '../../src/privacy/event.ts';
import { meanSensitivity } from '../../src/privacy/gaussianNoise.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { composedNoise, frankWolfeNoise, singleRowNoise } from '../../src/privacy/paperNoise.ts';
import { expectClose } from '../support/close.ts';

describe('a mistake made elsewhere', () => {
  it('is a logarithm in base 10: at delta = 2/e, log(2/delta) is 1 here', () => {
    const setting = { lipschitz: 1, rows: 1, steps: 1, epsilon: 0.5, delta: 2 / Math.E };
    expectClose(composedNoise(setting) ** 2, 256 * Math.log((5 * Math.E) / 4));
    expectClose(frankWolfeNoise(setting) ** 2, 128 * (1 - Math.LN2) ** 2);
    expectClose(singleRowNoise(setting) ** 2, 128 * (1 - Math.LN2) ** 2);
  });

  it('is a sensitivity of 0: neither a mean nor a charge has one', () => {
    for (const lipschitz of [1e-300, 1, 1e300]) {
      for (const rows of [1, 1e9]) expect(meanSensitivity(lipschitz, rows)).to.be.above(0);
    }
    expect(() => meanSensitivity(0, 10)).to.throw(check.ArgumentError, 'lipschitz');
    expect(() => gaussianEvent({ chunk: 0, sensitivity: 0, sigma: 1 })).to.throw(check.ArgumentError, 'sensitivity');
  });

  it('is a NaN that passes a check: every check refuses it', () => {
    const validators = Object.entries(check).filter(([name]) => name.startsWith('require'));
    const asked: Record<string, (validator: (...args: never[]) => unknown) => unknown> = {
      requireInteger: validator => validator('value' as never, Number.NaN as never, -Infinity as never),
      requireVector: validator => validator('value' as never, Float64Array.of(1, Number.NaN) as never),
      requireChoice: validator => validator('value' as never, 'NaN' as never, ['a', 'b'] as never),
      requireLength: validator => validator('value' as never, [1] as never, Number.NaN as never),
      requireSymmetric: validator => validator('value' as never, Float64Array.of(Number.NaN) as never, 1 as never),
    };
    expect(validators.length).to.be.at.least(8);
    for (const [name, validator] of validators) {
      const ask = asked[name] ?? (it => it('value' as never, Number.NaN as never));
      expect(() => ask(validator as never), name).to.throw(check.ArgumentError, /value/);
    }
  });

  describe('in sums of clipped gradients', () => {
    const grid = 2 ** -10;
    const clip = 1;
    /** Gradients of a hundred times the clip and more, and what their sums are in its units. */
    const clippedSums = (intercept: boolean, target: number, weights?: Float64Array) =>
      [integerSummer, fastIntegerSummer].map(make => {
        const summer = make({
          loss: squared(),
          at: new Float64Array(intercept ? 3 : 2),
          blocks: 1,
          rowsPerBlock: 4,
          intercept,
          grid,
          squaredNorm: 2 ** 40,
          clip,
        });
        const columns = [Float64Array.of(3, 3, 3, 3), Float64Array.of(-4, -4, -4, -4)];
        const batch = { rows: 4, columns, target: new Float64Array(4).fill(target) };
        summer.add(weights === undefined ? batch : { ...batch, weights });
        return summer.finish();
      });

    it('is no clipping where the intercept is off, or a clip that is made and not used', () => {
      for (const intercept of [false, true]) {
        for (const { sums } of clippedSums(intercept, -100)) {
          expect(norm(sums) * grid).to.be.closeTo(4 * clip, 8 * grid);
          expect(sums[0]! / sums[1]!).to.be.closeTo(-3 / 4, 0.01);
        }
      }
    });

    it('is a NaN that passes the clip', () => {
      for (const { sums } of clippedSums(true, NaN)) expect(sums).to.deep.equal(new Float64Array(3));
      for (const { sums } of clippedSums(true, Infinity)) expect(sums).to.deep.equal(new Float64Array(3));
    });

    it('is a divisor that reveals how many rows were valid', () => {
      const none = clippedSums(false, -100, new Float64Array(4));
      const some = clippedSums(false, -100, Float64Array.of(1, 0, 0, 1));
      for (const { rowsPerBlock } of [...none, ...some]) expect(rowsPerBlock).to.equal(4);
      // Nor does a sum make up for rows that do not count.
      for (const { sums } of none) expect(sums).to.deep.equal(new Float64Array(2));
      for (const { sums } of some) expect(norm(sums) * grid).to.be.closeTo(2 * clip, 8 * grid);
    });

    it('is a sensitivity that follows the data: noise and charge are the same for all', () => {
      const noise = integerNoise({ lipschitz: 1, features: 2, touches: 1, epsilon: 0.9, delta: 1e-6 });
      const release = integerRelease(noise, { chunk: 0, rowsPerBlock: 4 });
      expect(discreteGaussianMechanism).to.have.length(2);
      const noiseOn = (sum: number): number[] => {
        const sums = {
          sums: Float64Array.of(sum, -sum),
          blocks: 1,
          rowsPerBlock: 4,
          privacy: 'raw',
        } as const;
        const { perturb } = discreteGaussianMechanism(noise, seeded(1, 'noise'));
        const { grid, squaredNorm } = noise;
        const released = perturb({ ...sums, grid, squaredNorm }, release).sums;
        return [...released].map((value, j) => Math.round(value / noise.grid) - sums.sums[j]!);
      };
      expect(noiseOn(2 ** 20)).to.deep.equal(noiseOn(0));
    });
  });

  it('is a seed that nobody chose: every stream of repeatable words is asked for one', () => {
    expect(seeded).to.have.length(2);
    expect(() => seeded(undefined as never, 'noise')).to.throw(check.ArgumentError, 'seed');
    const chosenHere = /\bseed\b(\s*\??:[^=;,)]*)?\s*=\s*['"`\d-]|\bseeded\(\s*['"`\d-]/;
    expect('{ seed = 0 }').to.match(chosenHere);
    expect("seed: number | string = '1'").to.match(chosenHere);
    expect("seeded(42, 'noise')").to.match(chosenHere);
    const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    expect(sources.length).to.be.above(50);
    for (const name of sources) {
      // Examples in comments choose seeds, as callers do.
      const code = readFileSync(`${source}/${name}`, 'utf8').replaceAll(/^\s*\*.*$/gm, '');
      expect(code, name).not.to.match(chosenHere);
    }
  });
});

const source = fileURLToPath(new URL('../../src', import.meta.url));
