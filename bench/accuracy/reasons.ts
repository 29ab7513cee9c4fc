/** Why a target is missed where it is: written by hand after taking the fit apart, so a new loss has none until somebody has looked. */
import { scenarioNamed } from './settings.ts';
import type { Verdict } from './verdicts.ts';

const NOT_LOOKED = 'not looked into yet';

export function reasonFor({ target, place, value }: Verdict): string {
  const { spoilt } = scenarioNamed(place.scenario);
  if (value === null) return 'gave up: see its message in accuracy.json';
  if (place.scenario === 'private, wide bounds') {
    return 'the plan takes features for spread over their bounds; these fill little of them, curve less, and its steps end too early';
  }
  if (target === 'leverage' && spoilt?.share === 0.01) {
    return 'Tukey survives one far row in a hundred, and nobody is twice as good as a fit to the good rows';
  }
  return NOT_LOOKED;
}
