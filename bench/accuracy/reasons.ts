/** Why a target is missed where it is: written by hand after taking the fit apart, so a new loss has none until somebody has looked. */
import { scenarioNamed } from './settings.ts';
import type { Verdict } from './verdicts.ts';

const NOT_LOOKED = 'not looked into yet';

export function reasonFor({ target, place, value }: Verdict): string {
  const { kind, spoilt, trait, heavy } = scenarioNamed(place.scenario);
  if (value === null) return 'gave up: see its message in accuracy.json';
  if (place.scenario === 'private, wide bounds') {
    return 'the plan takes features for spread over their bounds; these fill little of them, curve less, and its steps end too early';
  }
  if (target !== 'best' && target !== 'leverage') return NOT_LOOKED;
  if (target === 'leverage' && spoilt?.share === 0.01) {
    return 'Tukey survives one far row in a hundred, and nobody is twice as good as a fit to the good rows';
  }
  if (kind === 'logistic') {
    return 'steps on fresh chunks overshoot with the curvature of the pilot; steps over all rows are near the peers';
  }
  if (spoilt?.way === 'leverage')
    return 'far rows count fully in the steps, which ruin a good start of the pilot';
  if (spoilt?.way === 'adversarial') {
    return 'the start of the pilot is bent already: a bounded slope still pulls, a redescending one lets go';
  }
  if (trait === 'ill-conditioned') {
    return 'the median of block means is taken in coordinates of very different scale; with a mean the error halves';
  }
  if (heavy === 'features') return NOT_LOOKED;
  return 'two or three steps on fresh chunks after a small pilot; steps over all rows come near the peers, with a mean or a median alike';
}
