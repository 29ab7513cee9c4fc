import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { type GlmParts, glm } from '../../../src/method/loss/glm.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

/** Targets of ±1: twice the logistic score, centred. Its means take both signs. */
const signs: GlmParts = {
  name: 'signs',
  targets: { least: -1, most: 1 },
  cumulant: score => Math.abs(score) + Math.log1p(Math.exp(-2 * Math.abs(score))) - Math.LN2,
  mean: Math.tanh,
  variance: score => 1 - Math.tanh(score) ** 2,
  meanBound: 1,
  varianceBound: 1,
};

// K_Phi' + K_y = 2 wants a large score: at s = 0 the slope is 1 at most.
checkLoss('glm', () => glm(signs), { targetBounds: [1, 1], tightness: 2 });

describe('glm', () => {
  const bounds = domain({ features: 4, max: 1, target: 0.5, radius: 3 });

  it('is Phi(s) - y s', () => {
    const loss = glm(signs);
    expect(loss.value(2, 0.5)).to.equal(loss.cumulant(2) - 1);
    expect(loss.slope(2, 0.5)).to.equal(Math.tanh(2) - 0.5);
    expect(loss).to.include({ name: 'signs', penalty: 0 });
  });

  it("has the paper's constants (K_Phi' + K_y) L_x and K_Phi'' L_x^2", () => {
    const loss = glm({ ...signs, meanBound: 1.5, varianceBound: 0.75 });
    expect(loss.lipschitz(bounds)).to.equal((1.5 + 0.5) * 2);
    expect(loss.smoothness(bounds)).to.equal(0.75 * 4);
    expect(loss.meanBound(bounds)).to.equal(1.5);
    expect(loss.varianceBound(bounds)).to.equal(0.75);
  });

  it('takes the bound of the target from its own range where the domain declares none', () => {
    expect(glm(signs).lipschitz(domain({ features: 1, norm: 3 }))).to.equal(6);
    const { targets, ...open } = signs;
    expect(glm(open).targets).to.deep.equal({ least: -Infinity, most: Infinity });
    expect(glm(open).lipschitz(domain({ features: 1, norm: 3 }))).to.equal(Infinity);
  });

  it('halves the constant only where neither targets nor means can be negative', () => {
    const positive = { targets: { least: 0, most: 1 } };
    const mean = (score: number) => (1 + Math.tanh(score)) / 2;
    const wide = domain({ features: 1, norm: 3 });
    expect(glm({ ...signs, ...positive, mean }).lipschitz(wide)).to.equal(3);
    expect(glm({ ...signs, ...positive }).lipschitz(wide)).to.equal(6);
    expect(glm({ ...signs, mean }).lipschitz(wide)).to.equal(6);
  });

  it('takes bounds that hold on a domain only', () => {
    const loss = glm({
      ...signs,
      meanBound: ({ norm, radius }) => norm * radius,
      varianceBound: ({ norm }) => norm,
    });
    expect(loss.lipschitz(bounds)).to.equal((6 + 0.5) * 2);
    expect(loss.smoothness(bounds)).to.equal(8);
  });

  it('refuses parts that are no functions, no bounds and no range, by name', () => {
    const glmWith = (part: object) => () => glm({ ...signs, ...part });
    for (const name of ['cumulant', 'mean', 'variance']) {
      expect(glmWith({ [name]: 1 })).to.throw(ArgumentError, `${name} must be a function, got 1`);
    }
    for (const name of ['meanBound', 'varianceBound']) {
      for (const bad of [Number.NaN, 0, -1, Infinity]) {
        expect(glmWith({ [name]: bad })).to.throw(ArgumentError, `${name} must be a finite number above 0, got ${bad}`);
      }
      expect(glmWith({ [name]: 'wide' })).to.throw(ArgumentError, `${name} must be a function, got "wide"`);
    }
    expect(glmWith({ targets: { least: 1, most: 0 } })).to.throw(ArgumentError, 'targets.least must be below');
    expect(glmWith({ targets: { least: Number.NaN, most: 0 } })).to.throw(ArgumentError, 'targets.least');
  });
});
