/** How often intervals hold the truth, over as many fits as tell it well. The quick suite has a few of each. */
import { expect } from 'chai';
import { covered, plan } from '../support/covered.ts';
import { heldForLevel } from '../support/heldForLevel.ts';
import { countsHeld } from '../support/intervalsHeld.ts';

describe('intervals', () => {
  it('are honest for a level in 3 of 5000 rows', async () => {
    // Nominally 95 %; below 85 % by chance with probability 1e-7.
    expect((await heldForLevel(3, 5000, 200)) / 200).to.be.above(0.85);
  });

  it('of private rates of counts hold far above e and far below the largest that is declared', async () => {
    // By 20 seeds: of intervals that cover 95 %, fewer than 50 of 60 do with a chance of 1e-4.
    for (const { held, mean, truth } of await countsHeld(20)) {
      expect(held).to.be.at.least(50);
      truth.forEach((value, j) => {
        expect(mean[j]).to.be.closeTo(value, 0.04);
      });
    }
  });

  it('of private fits cover, and more, where features fill their bounds or a part of them, down to a fifth', async () => {
    // Seeds are fixed. Of 30 intervals that cover 95 % each, 24 or fewer would with a probability of 3e-3.
    for (const part of [1, 0.5, 0.2]) expect(await covered(plan, part, 10), `${part}`).to.be.at.least(25);
  });
});
