import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { normalQuantile } from '../../src/math/normalQuantile.ts';
import { studentQuantile } from '../../src/math/studentTail.ts';

/** The chance of more than t: with t = sqrt(nu) tan a, the density is proportional to cos(a)^(nu - 1) on [0, pi/2]. */
function tailBeyond(t: number, degrees: number): number {
  const density = (a: number): number => Math.cos(a) ** (degrees - 1);
  const integral = (from: number, to: number): number => {
    const panels = 2000;
    const h = (to - from) / panels;
    let sum = density(from) + density(to);
    for (let i = 1; i < panels; i++) sum += (i % 2 === 0 ? 2 : 4) * density(from + i * h);
    return (sum * h) / 3;
  };
  return integral(Math.atan(t / Math.sqrt(degrees)), Math.PI / 2) / (2 * integral(0, Math.PI / 2));
}

describe('studentQuantile', () => {
  it('is exact where there is a closed form', () => {
    expect(studentQuantile(0.975, 1)).to.be.closeTo(12.706204736174698, 1e-9);
    expect(studentQuantile(0.75, 1)).to.be.closeTo(1, 1e-15);
    expect(studentQuantile(0.975, 2)).to.be.closeTo(4.302652729749462, 1e-9);
    expect(studentQuantile(0.9, 2)).to.be.closeTo(1.8856180831641267, 1e-12);
  });

  it('agrees with the tables to 1e-4 of the value from 3 degrees on, and to 1e-6 from 10 on', () => {
    const table: [p: number, degrees: number, value: number][] = [
      [0.975, 3, 3.182446305284263],
      [0.975, 5, 2.570581835636314],
      [0.95, 5, 2.015048372669157],
      [0.995, 4, 4.604094871415897],
      [0.975, 10, 2.2281388519649385],
      [0.995, 10, 3.169272667175838],
      [0.975, 30, 2.0422724563012373],
      [0.95, 60, 1.670648864651085],
    ];
    for (const [p, degrees, value] of table) {
      const off = Math.abs(studentQuantile(p, degrees) / value - 1);
      expect(off, `${p}, ${degrees}`).to.be.at.most(degrees < 10 ? 1e-4 : 1e-6);
    }
  });

  it('has a relative error below 1e-4, judged by the integral of the density', () => {
    for (const degrees of [3, 4, 5, 6, 8, 12, 20, 41, 100]) {
      for (const p of [0.51, 0.6, 0.75, 0.9, 0.975, 0.995, 0.9995, 1 - 0.025 / 100]) {
        const found = studentQuantile(p, degrees);
        expect(tailBeyond((1 + 1e-4) * found, degrees), `${p}, ${degrees}`).to.be.below(1 - p);
        expect(tailBeyond((1 - 1e-4) * found, degrees), `${p}, ${degrees}`).to.be.above(1 - p);
      }
    }
  });

  it('is odd around 1/2, rises with p, and falls with the degrees', () => {
    for (const degrees of [1, 2, 3, 4, 7, 50]) {
      expect(studentQuantile(0.5, degrees)).to.be.closeTo(0, 1e-4);
      let last = -Infinity;
      for (const p of [1e-6, 0.01, 0.2, 0.4, 0.6, 0.8, 0.99, 1 - 1e-6]) {
        const value = studentQuantile(p, degrees);
        expect(value).to.be.above(last);
        expect(value).to.be.closeTo(-studentQuantile(1 - p, degrees), 1e-8 * Math.abs(value));
        if (p > 0.5) expect(value).to.be.above(studentQuantile(p, degrees + 1));
        last = value;
      }
    }
  });

  it('comes to the normal quantile with many degrees', () => {
    for (const p of [0.6, 0.9, 0.975, 0.9999]) {
      expect(studentQuantile(p, 1e7) / normalQuantile(p)).to.be.closeTo(1, 1e-6);
    }
  });

  it('refuses what is no probability and no number of degrees', () => {
    for (const p of [0, 1, -1, NaN]) expect(() => studentQuantile(p, 5)).to.throw(ArgumentError, 'p must be in');
    for (const degrees of [0, 1.5, -1, NaN]) {
      expect(() => studentQuantile(0.9, degrees)).to.throw(ArgumentError, 'degrees must be a whole number');
    }
  });
});
