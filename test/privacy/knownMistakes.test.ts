/** Mistakes that other implementations of private regression made, and this one must not make. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as check from '../../src/math/check.ts';
import { gaussianEvent } from '../../src/privacy/event.ts';
import { meanSensitivity } from '../../src/privacy/gaussianNoise.ts';
import { composedNoise, frankWolfeNoise, singleRowNoise } from '../../src/privacy/paperNoise.ts';
import { seeded } from '../../src/random/seeded.ts';
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
    expect(() => gaussianEvent({ chunk: 0, sensitivity: 0, sigma: 1 })).to.throw(
      check.ArgumentError,
      'sensitivity',
    );
  });

  it('is a NaN that passes a check: every check refuses it', () => {
    const validators = Object.entries(check).filter(([name]) => name.startsWith('require'));
    const asked: Record<string, (validator: (...args: never[]) => unknown) => unknown> = {
      requireInteger: validator => validator('value' as never, Number.NaN as never, -Infinity as never),
      requireVector: validator => validator('value' as never, Float64Array.of(1, Number.NaN) as never),
      requireLength: validator => validator('value' as never, [1] as never, Number.NaN as never),
      requireSymmetric: validator =>
        validator('value' as never, Float64Array.of(Number.NaN) as never, 1 as never),
    };
    expect(validators.length).to.be.at.least(8);
    for (const [name, validator] of validators) {
      const ask = asked[name] ?? (it => it('value' as never, Number.NaN as never));
      expect(() => ask(validator as never), name).to.throw(check.ArgumentError, /value/);
    }
  });

  it('is a seed that nobody chose: every stream of repeatable words is asked for one', () => {
    expect(seeded).to.have.length(2);
    expect(() => seeded(undefined as never, 'noise')).to.throw(check.ArgumentError, 'seed');
    const chosenHere = /\bseed\b(\s*\??:[^=;,)]*)?\s*=\s*['"`\d-]|\bseeded\(\s*['"`\d-]/;
    expect('{ seed = 0 }').to.match(chosenHere);
    expect("seed: number | string = '1'").to.match(chosenHere);
    expect("seeded(42, 'noise')").to.match(chosenHere);
    const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.ts'),
    );
    expect(sources.length).to.be.above(50);
    for (const name of sources) {
      expect(readFileSync(`${source}/${name}`, 'utf8'), name).not.to.match(chosenHere);
    }
  });
});

const source = fileURLToPath(new URL('../../src', import.meta.url));
