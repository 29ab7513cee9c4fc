/**
 * The error of private streams beside the formula for it, with as many runs as tell it well. `SLUICE_SHARE=0.1` makes a
 * tenth of them. Figures go to bench/online.json with a digest of what made them.
 */
import { expect } from 'chai';
import { record } from '../support/onlineFigures.ts';
import { type PrivateCell, privateError } from '../support/privateError.ts';

const share = Number(process.env.SLUICE_SHARE ?? 1);

const CELLS: readonly PrivateCell[] = [
  { epsilon: 0.5, features: 5, kind: 't3', rho: 0.9, repeats: 24 },
  { epsilon: 0.5, features: 10, kind: 'huber', rho: 0.5, repeats: 16 },
  { epsilon: 1, features: 5, kind: 't3', rho: 0.9, repeats: 60 },
  { epsilon: 1, features: 10, kind: 't3', rho: 0.9, repeats: 24 },
  { epsilon: 1, features: 20, kind: 't3', rho: 0.5, repeats: 12 },
  { epsilon: 1, features: 5, kind: 'logistic', rho: 0.5, repeats: 40 },
  { epsilon: 3, features: 5, kind: 't3', rho: 0.9, repeats: 60 },
  { epsilon: 3, features: 10, kind: 'huber', rho: 0.5, repeats: 40 },
  { epsilon: 3, features: 20, kind: 'huber', rho: 0.9, repeats: 12 },
  { epsilon: 3, features: 5, kind: 'squared', rho: 0.5, repeats: 30, scale: 0.3 },
  { epsilon: 3, features: 5, kind: 'poisson', rho: 0.5, repeats: 60 },
  { epsilon: 1, features: 10, kind: 'logistic', rho: 0.5, repeats: 16 },
  { epsilon: 1, features: 5, kind: 'poisson', rho: 0.5, repeats: 8 },
  { epsilon: 3, features: 5, kind: 't3', rho: 0.9, repeats: 60, forget: 20, preambles: 15 },
  { epsilon: 3, features: 5, kind: 'logistic', rho: 0.5, repeats: 40, forget: 20, preambles: 15 },
  // Features in a twentieth of their bounds, and in a fortieth and a sixtieth, which noise hides.
  { epsilon: 1, features: 5, kind: 't3', rho: 0.9, repeats: 30, spread: 1 / 20 },
  { epsilon: 1, features: 5, kind: 't3', rho: 0.9, repeats: 15, spread: 1 / 40 },
  { epsilon: 1, features: 5, kind: 't3', rho: 0.9, repeats: 15, spread: 1 / 60 },
];

describe('private streams', () => {
  for (const { repeats: full, ...cell } of CELLS) {
    const wanted = cell.spread === undefined ? 1.15 : 1.35;
    const title = `have at most ${wanted} times the error of the formula after ten preambles, or say what noise hides`;
    it(`${title}: ${JSON.stringify(cell)}`, async () => {
      const repeats = Math.max(2, Math.round(full * share));
      const found = privateError({ ...cell, repeats });
      await record(
        'private error',
        cell,
        repeats,
        { ...found },
        new URL('../support/privateError.ts', import.meta.url),
      );
      if (found.hidden < 0.01) expect(found.ratio - 3 * found.ratioError).to.be.below(wanted);
      else expect(cell.spread).to.be.below(1 / 20);
      expect(found.outside).to.be.below(0.05 + 3 * Math.sqrt((0.05 * 0.95) / repeats));
      expect(found.everOutside).to.be.below(0.05 + 3 * Math.sqrt((0.05 * 0.95) / repeats));
    });
  }
});
