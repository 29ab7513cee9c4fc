import { expect } from 'chai';
import { lossByName } from '../../../src/method/loss/lossByName.ts';

describe('lossByName', () => {
  it('knows the losses of the command line, with their parameters and penalties', () => {
    expect(lossByName('squared').loss.slope(3, 1)).to.equal(2);
    expect(lossByName('pseudo-huber', { parameter: 0.5 }).loss.slope(1e9, 0)).to.be.closeTo(0.5, 1e-12);
    expect(lossByName('pseudo-huber').parameter).to.equal(1);
    // r / (1 + (r/q)^2)^2 at r = q.
    expect(lossByName('geman-mcclure', { parameter: 2 }).loss.slope(2, 0)).to.equal(0.5);
    expect(lossByName('geman-mcclure').parameter).to.equal(1);
    // r (1 - (r/c)^2)^2 at r = c/2.
    expect(lossByName('tukey', { parameter: 2 }).loss.slope(1, 0)).to.equal(0.5625);
    expect(lossByName('tukey').parameter).to.equal(1);
    expect(lossByName('logistic', { penalty: 0.25 }).loss.penalty).to.equal(0.25);
  });

  it('predicts the mean of the target at a score', () => {
    expect(lossByName('squared').predict(3)).to.equal(3);
    expect(lossByName('geman-mcclure').predict(3)).to.equal(3);
    expect(lossByName('tukey').predict(3)).to.equal(3);
    expect(lossByName('logistic').predict(0)).to.equal(0.5);
    expect(lossByName('poisson').predict(1)).to.be.closeTo(Math.E, 1e-15);
  });

  it('refuses penalties that are none', () => {
    for (const penalty of [NaN, -1, Infinity]) {
      expect(() => lossByName('squared', { penalty })).to.throw('penalty must');
    }
  });

  it('refuses other names', () => {
    expect(() => lossByName('cubic')).to.throw(
      'loss must be one of squared, logistic, poisson, pseudo-huber, geman-mcclure, tukey, got "cubic"',
    );
  });
});
