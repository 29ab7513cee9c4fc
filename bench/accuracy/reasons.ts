/** Why a target is missed where it is: written by hand after taking the fit apart, so a new loss has none until somebody has looked. */
import { scenarioNamed } from './settings.ts';
import type { Verdict } from './verdicts.ts';

const NOT_LOOKED = 'not looked into yet';

export function reasonFor({ target, place, value }: Verdict): string {
  const { spoilt } = scenarioNamed(place.scenario);
  if (value === null) return 'gave up: see its message in accuracy.json';
  if (target === 'best' && place.scenario === 'ill-conditioned') {
    return 'the error is that of one direction, a single normal number a seed: over the few seeds of Theil-Sen a ratio like this one is chance';
  }
  if (target === 'diffprivlib' && place.scenario === 'private, normal noise') {
    return 'the steps are those for features that may fill less of their bounds, and the noise of those is what is missing';
  }
  if (target === 'diffprivlib' && place.scenario === 'private, logistic') {
    return 'noise is most of the error of both, 4 to 35 times what the rows leave for Sluice and 17 to 140 times for diffprivlib: there are no five times between them';
  }
  if (target === 'leverage' && spoilt?.share === 0.01) {
    return 'Tukey survives one far row in a hundred, and nobody is twice as good as a fit to the good rows';
  }
  if (target === 'speed') {
    return 'a quarter of the second is the start of Node and of threads, a quarter reading and shuffling 168 MB, a fifth the pilot, a tenth steps: there are no ten times to be had of a peer that takes six seconds, most of them for starting and reading';
  }
  return NOT_LOOKED;
}
