import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { isFromSystem, secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { chiSquare, chiSquareThreshold, mean, meanThreshold } from '../../support/statistics.ts';

const words = (count: number): number[] => {
  const random = secure();
  return Array.from({ length: count }, () => random.word());
};

/** Puts something else in the place of node:crypto's function while `work` runs, for all modules that import it. */
async function withFill<T>(replacement: typeof crypto.randomFillSync, work: () => Promise<T>): Promise<T> {
  const { randomFillSync } = crypto;
  crypto.randomFillSync = replacement;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    crypto.randomFillSync = randomFillSync;
    syncBuiltinESMExports();
  }
}

// These draws cannot be seeded: false alarms, all together, are below 1e-6.
describe('secure', () => {
  it('gives the words of node:crypto, each once and in order, and no others', async () => {
    const given: number[] = [];
    const recorded = ((bytes: Uint32Array) => {
      for (let i = 0; i < bytes.length; i++) {
        bytes[i] = (2 ** 32 - 1 - 7919 * given.length) >>> 0;
        given.push(bytes[i]!);
      }
      return bytes;
    }) as typeof crypto.randomFillSync;
    await withFill(recorded, async () => {
      // A name of its own loads the module anew, while node:crypto is known to give these words.
      const path = '../../../src/math/random/secure.ts?anew';
      const fresh: { secure: typeof secure } = await import(path);
      const random = fresh.secure();
      const drawn = Array.from({ length: 5000 }, () => random.word());
      expect(drawn).to.deep.equal(given.slice(0, 5000));
      expect(given.length - drawn.length).to.be.within(0, 2048);
    });
  });

  it('does not follow what is put in the place of node:crypto later', async () => {
    let calls = 0;
    const constant = ((bytes: Uint32Array) => {
      calls++;
      return bytes.fill(7);
    }) as typeof crypto.randomFillSync;
    await withFill(constant, async () => {
      const sample = words(10_000);
      expect(sample.filter(word => word === 7)).to.have.length.below(10);
      expect(calls).to.equal(0);
    });
  });

  it('cannot be imitated or altered', () => {
    const random = secure();
    expect(isFromSystem(random)).to.equal(true);
    const { prototype } = random.constructor as typeof Object;
    for (const forged of [
      seeded(1, 'noise'),
      { isSecure: true, word: () => 7 },
      { ...random, word: () => 7 },
      Object.create(random),
      Object.create(prototype),
      new Proxy(random, {}),
    ]) {
      expect(isFromSystem(forged)).to.equal(false);
    }
    for (const target of [random, prototype, random.constructor]) {
      expect(Object.isFrozen(target)).to.equal(true);
      expect(Reflect.set(target, 'word', () => 7)).to.equal(false);
    }
  });

  it('never repeats itself, from one source to the next or across refills', () => {
    const sample = [...words(10_000), ...words(10_000)];
    const seen = Array.from({ length: 5000 }, (_, i) => sample.slice(4 * i, 4 * i + 4).join());
    expect(new Set(seen).size).to.equal(seen.length);
  });

  it('has words of 32 fair bits', () => {
    const sample = words(10_000);
    for (const word of sample) expect(word).to.satisfy((w: number) => Number.isInteger(w) && w >= 0 && w < 2 ** 32);
    for (let bit = 0; bit < 32; bit++) {
      expect(mean(sample.map(word => (word >>> bit) & 1))).to.be.closeTo(1 / 2, meanThreshold(10_000, 1));
    }
  });

  it('has words that neither follow from each other nor favour a value', () => {
    expect(weaknesses(words(SAMPLE))).to.deep.equal([]);
  });

  it('says that it is secure', () => {
    expect(secure().isSecure).to.equal(true);
  });
});

describe('the tests of secure words', () => {
  it('see weak generators', () => {
    const generators: Readonly<Record<string, (state: number, step: number) => number>> = {
      counter: state => state + 1,
      constant: () => 7,
      linear: state => Math.imul(state, 1664525) + 1013904223,
      'half of the words': (_, step) => (step % 2 === 0 ? crypto.randomInt(2 ** 32) : 0),
      'without their last bit': () => crypto.randomInt(2 ** 31) * 2,
      xorshift: state => {
        let x = state ^ (state << 13);
        x ^= x >>> 17;
        return x ^ (x << 5);
      },
    };
    for (const [name, next] of Object.entries(generators)) {
      let state = 1;
      const sample = Array.from({ length: SAMPLE }, (_, step) => {
        state = next(state, step) >>> 0;
        return state;
      });
      expect(weaknesses(sample), name).to.not.deep.equal([]);
    }
  });
});

const SAMPLE = 2 ** 14;

/**
 * What distinguishes words from independent uniform ones; with thresholds that each fail those one time in 1e11, and
 * some 900 of them, a false alarm has a chance below 1e-8.
 */
function weaknesses(sample: readonly number[]): string[] {
  const ALARM = 1e-11;
  const found: string[] = [];
  const expectFair = (name: string, values: readonly number[]): void => {
    if (Math.abs(mean(values) - 1 / 2) > meanThreshold(values.length, 1, ALARM)) found.push(name);
  };
  const expectEven = (name: string, cells: readonly number[], count: number): void => {
    const counts = new Float64Array(count);
    for (const cell of cells) counts[cell]!++;
    const even = new Float64Array(count).fill(1 / count);
    if (chiSquare(counts, even) > chiSquareThreshold(count - 1, ALARM)) found.push(name);
  };
  for (let bit = 0; bit < 32; bit++) {
    const bits = sample.map(word => (word >>> bit) & 1);
    expectFair(`bit ${bit}`, bits);
    // The exclusive or of bits at a distance shows periods, which the low bits of linear generators have.
    for (const lag of [1, 2, 4, 8, 16, 64, 256, 1024, 4096]) {
      expectFair(
        `bit ${bit} after ${lag}`,
        bits.slice(lag).map((value, i) => value ^ bits[i]!),
      );
    }
    for (let other = 0; other < bit; other++) {
      expectFair(
        `bits ${bit} and ${other}`,
        sample.map((word, i) => bits[i]! ^ ((word >>> other) & 1)),
      );
    }
  }
  for (const shift of [0, 8, 16, 24]) {
    const bytes = sample.map(word => (word >>> shift) & 255);
    expectEven(`byte ${shift / 8}`, bytes, 256);
    expectEven(
      `differences of byte ${shift / 8}`,
      bytes.slice(1).map((value, i) => (value - bytes[i]!) & 255),
      256,
    );
  }
  // 32 words as a matrix of bits; those of a linear recurrence are always independent.
  const matrices = Array.from({ length: Math.floor(sample.length / 32) }, (_, i) =>
    isInvertible(sample.slice(32 * i, 32 * i + 32)) ? 1 : 0,
  );
  const invertible = Array.from({ length: 32 }, (_, i) => 1 - 2 ** -(i + 1)).reduce((a, b) => a * b);
  if (Math.abs(mean(matrices) - invertible) > meanThreshold(matrices.length, 1, ALARM)) found.push('ranks');
  return found;
}

/** Whether 32 words are linearly independent over the two elements 0 and 1. */
function isInvertible(rows: readonly number[]): boolean {
  const basis = new Map<number, number>();
  for (const row of rows) {
    let left = row;
    while (left !== 0) {
      const pivot = basis.get(Math.clz32(left));
      if (pivot === undefined) break;
      left = (left ^ pivot) >>> 0;
    }
    if (left === 0) return false;
    basis.set(Math.clz32(left), left);
  }
  return true;
}
