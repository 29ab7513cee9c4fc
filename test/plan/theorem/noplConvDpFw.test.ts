import { expect } from 'chai';
import { glmGeometry, noplConvDpFw, squaredGeometry } from '../../../src/plan/theorem/noplConvDpFw.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { expectClose } from '../../support/close.ts';
import { expectPrescription, needs } from '../../support/prescriptions.ts';

describe('noplConvDpFw', () => {
  it("prescribes figure plot1's plain run", () => {
    for (const [rows, epsilon, T] of [
      [10_000, 0.9, 176],
      [500, 0.5, 17],
    ] as const) {
      const [p, D, delta] = [10, 1 / (4 * Math.sqrt(10)), 1 / 3];
      const L2 = Math.sqrt(p) + p * D;
      const [G, Gamma] = [D * meanNorm(p), 4 * p * D ** 2];
      const sigma = Math.sqrt((32 * L2 ** 2 * T * Math.log(rows / delta) ** 2) / (rows ** 2 * epsilon ** 2));
      expect(Math.ceil(((rows * epsilon * Gamma) / (L2 * G)) ** (2 / 3))).to.equal(T);
      const geometry = squaredGeometry({ features: p, radius: D });
      expectPrescription(noplConvDpFw({ rows, radius: D, lipschitz: L2, ...geometry, epsilon, delta }), {
        theorem: 'NOPLconvDPFW',
        rule: 'frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: 'harmonic',
        momentum: null,
        radius: D,
        gradientFloor: null,
        contraction: null,
        penalty: 0,
        estimator: { kind: 'mean' },
        privacy: { epsilon, delta, lipschitz: L2, sigma },
        claim: { quantity: 'risk', rate: '(Gamma^(1/2) L2 G / (n eps))^(2/3)', exponent: -2 / 3 },
        conditions: [needs('eps <= 0.9', true, { eps: epsilon })],
      });
    }
  });

  it("prescribes figure plot2's plain run: logistic, p = 3, L_x = 1, L2 = 2, on B2(||theta*||)", () => {
    const [rows, D, epsilon, delta] = [5500, Math.sqrt(3), 0.9, 1 / 3];
    // E||N(0, I_3)|| = 2 sqrt(2/pi)
    const [G, Gamma] = [D * 2 * Math.sqrt(2 / Math.PI), (1 / 4) * (2 * D) ** 2];
    const T = Math.ceil(((rows * epsilon * Gamma) / (2 * G)) ** (2 / 3));
    const geometry = glmGeometry({ features: 3, radius: D, varianceBound: 1 / 4, featureNorm: 1 });
    expectPrescription(noplConvDpFw({ rows, radius: D, lipschitz: 2, ...geometry, epsilon, delta }), {
      steps: T,
      privacy: {
        epsilon,
        delta,
        lipschitz: 2,
        sigma: (2 * Math.sqrt(32 * T) * Math.log(rows * 3)) / (rows * 0.9),
      },
    });
  });

  it('has no noise above epsilon = 0.9, and says so', () => {
    const geometry = squaredGeometry({ features: 2, radius: 1 });
    const given = noplConvDpFw({
      rows: 100,
      radius: 1,
      lipschitz: 1,
      ...geometry,
      epsilon: 0.91,
      delta: 0.1,
    });
    expect(isFeasible(given)).to.equal(false);
    expect(given.privacy?.sigma).to.equal(null);
    expectPrescription(given, { conditions: [needs('eps <= 0.9', false, { eps: 0.91 })] });
  });
});

describe('squaredGeometry', () => {
  it('is the width of glmGeometry for the same ball, and Gamma = 4 p D^2', () => {
    const { gaussianWidth, curvature } = squaredGeometry({ features: 9, radius: 0.5 });
    const glm = glmGeometry({ features: 9, radius: 0.5, varianceBound: 1, featureNorm: 1 });
    expect(gaussianWidth).to.equal(glm.gaussianWidth);
    expectClose(curvature, 9);
  });

  it('is that of the l1 ball and of the cube too', () => {
    // E max |b_j|: sqrt(2/pi) for one, 2/sqrt pi for two standard normals.
    expectClose(
      squaredGeometry({ features: 1, radius: 2, set: 'l1' }).gaussianWidth,
      2 * Math.sqrt(2 / Math.PI),
      1e-10,
    );
    expectClose(squaredGeometry({ features: 2, radius: 3, set: 'l1' }).gaussianWidth, 6 / Math.sqrt(Math.PI), 1e-10);
    expectClose(squaredGeometry({ features: 5, radius: 0.5, set: 'l1' }).curvature, 1);
    expectClose(squaredGeometry({ features: 4, radius: 2, set: 'box' }).gaussianWidth, 8 * Math.sqrt(2 / Math.PI));
    expectClose(squaredGeometry({ features: 4, radius: 2, set: 'box' }).curvature, 256);
    const glm = { features: 4, radius: 2, varianceBound: 1 / 4, featureNorm: 3 };
    expectClose(glmGeometry({ ...glm, set: 'box' }).curvature, (9 / 4) * 64);
    expectClose(glmGeometry({ ...glm, set: 'l1' }).curvature, (9 / 4) * 16);
  });
});

describe('glmGeometry', () => {
  it('has the Gaussian width D E||N(0, I_p)||, by an integral', () => {
    for (const features of [1, 2, 3, 10, 100, 1000]) {
      const { gaussianWidth } = glmGeometry({ features, radius: 0.5, varianceBound: 1, featureNorm: 1 });
      expectClose(gaussianWidth, 0.5 * meanNorm(features), 1e-11);
    }
  });

  it("has the curvature K_Phi'' L_x^2 (2D)^2", () => {
    const { curvature } = glmGeometry({ features: 4, radius: 0.5, varianceBound: 1 / 4, featureNorm: 3 });
    expectClose(curvature, (1 / 4) * 9 * 1);
  });
});

/**
 * The ratio of the integrals of r^p e^(-r^2/2) and r^(p-1) e^(-r^2/2). In u = log r they run over the whole line, where
 * trapezoids are exact to rounding.
 */
function meanNorm(p: number): number {
  const step = 0.1 / Math.sqrt(p);
  const peak = Math.log(p) / 2;
  let [above, below] = [0, 0];
  for (let u = -45 / Math.sqrt(p); u < 10 / Math.sqrt(p); u += step) {
    const density = Math.exp(p * u - (p * Math.expm1(2 * u)) / 2);
    above += Math.exp(peak + u) * density;
    below += density;
  }
  return above / below;
}
