import { expect } from 'chai';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { planPrivateOnline } from '../../../src/plan/online/planPrivateOnline.ts';
import { muFor } from '../../../src/privacy/gaussianDp.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const asked = { epsilon: 1, delta: 1e-6, scaling: unitScaling(5) };
const counts = unitScaling(5, { target: { least: 0, most: 20 }, scalesTarget: false });

describe('planPrivateOnline', () => {
  it('has the rows of each release that the formulas say', () => {
    const { figures } = planPrivateOnline(asked);
    const mu = muFor(1, 1e-6);
    expect(figures.mu).to.be.closeTo(mu, 1e-8);
    const rows = (kind: string): number => figures.releases.find(release => release.kind === kind)!.rows;
    expect(rows('moments')).to.equal(Math.ceil((200 * 7 * Math.sqrt(3)) / figures.mu));
    expect(rows('histogram')).to.equal(Math.ceil(500 / figures.mu));
    expect(rows('look')).to.equal(Math.ceil((56 * 6 * Math.sqrt(3)) / figures.mu));
    expect(figures.halfway).to.be.closeTo((2.5 * Math.sqrt(6)) ** 2 / (mu * 0.56) ** 2 / 1.1, 1);
    expect(figures.chunk).to.equal(Math.ceil(2 * figures.halfway));
    const [m1, m2, m3] = [rows('moments'), rows('histogram'), rows('look')];
    expect(figures.preamble).to.equal(m1 + 2 * m2 + 3 * m3 + 4 * figures.chunk);
    expect(figures.cost).to.be.closeTo(Math.sqrt(1.5), 1e-3);
  });

  it('asks without end, with looks at chunks 5, 25 and 125 after the preamble, and for ever where rows are forgotten', () => {
    const plan = planPrivateOnline(asked);
    const preamble = plan.figures.releases.length;
    expect(plan.steps.length).to.equal(Infinity);
    const looks = Array.from({ length: 2000 }, (_, k) => k + 1).filter(k => plan.kindAt(preamble + k - 1) === 'look');
    expect(looks).to.deep.equal([5, 25, 125]);
    const { chunk } = plan.figures;
    const forgetting = planPrivateOnline({ ...asked, forget: 10 * chunk });
    const later = Array.from({ length: 200 }, (_, k) => k + 1).filter(
      k => forgetting.kindAt(preamble + k - 1) === 'look',
    );
    expect(later).to.deep.equal([5, 25, 50, 100, 125, 150, 200]);
    let before = 0;
    for (let t = 0; t < 30; t++) {
      expect(plan.rowsBefore(t)).to.equal(before);
      before += plan.steps.at(t)!.rows;
    }
    expect(plan.steps.at(1e6)!.release!.chunk).to.equal('each');
  });

  it('protects units by sqrt(c K) times the noise, not K times', () => {
    const row = planPrivateOnline(asked);
    const units = planPrivateOnline({ ...asked, unit: { perChunk: 2, most: 8 } });
    expect(units.figures.rowMu).to.be.closeTo(row.figures.rowMu / 4, 1e-6);
    expect(units.noise.squaredNorm).to.be.closeTo(row.noise.squaredNorm / 16, 1e4);
    expect(4 * 16 * units.noise.squaredNorm).to.be.at.most((units.noise.scale * units.noise.mu) ** 2);
    expect(planPrivateOnline({ ...asked, unit: { most: 9 } }).figures.rowMu).to.be.closeTo(row.figures.rowMu / 3, 1e-6);
  });

  it('has no histogram where the loss has no scale, and knows the losses that have bounds', () => {
    const classes = unitScaling(5, { target: { least: 0, most: 1 }, scalesTarget: false });
    for (const options of [
      { ...asked, loss: squared() },
      { ...asked, loss: logistic(), scaling: classes },
      { ...asked, loss: poisson(), scaling: counts },
    ]) {
      const { releases } = planPrivateOnline(options).figures;
      expect(releases.map(({ kind }) => kind)).to.deep.equal(['moments', 'look', ...Array(4).fill('gradient'), 'look']);
    }
    expect(planPrivateOnline({ ...asked, loss: logistic(), scaling: classes }).figures.halfway).to.be.within(
      3600,
      3800,
    );
  });

  it('refuses a penalty, a delta above 1e-6, and counts that are not whole', () => {
    expect(() => planPrivateOnline({ ...asked, loss: ridge(squared(), 0.1) })).to.throw('have no penalty');
    expect(() => planPrivateOnline({ ...asked, delta: 2e-6 })).to.throw('delta must be at most 1e-6');
    expect(() => planPrivateOnline({ ...asked, delta: NaN })).to.throw('delta must be at most 1e-6');
    expect(() => planPrivateOnline({ ...asked, unit: { most: 1.5 } })).to.throw('unit.most');
    expect(() => planPrivateOnline({ ...asked, chunk: 0 })).to.throw('chunk');
  });
});
