/**
 * Why a target is missed where it is: written by hand after taking the fit apart, so a new loss has none until somebody
 * has looked.
 */
import { scenarioNamed } from './settings.ts';
import type { Verdict } from './verdicts.ts';

const NOT_LOOKED = 'not looked into yet';

export function reasonFor({ target, place, against, value }: Verdict): string {
  const { spoilt } = scenarioNamed(place.scenario);
  if (value === null) return 'gave up: see its message in accuracy.json';
  if (target === 'best' && place.scenario === 'ill-conditioned') {
    return 'the error is that of one direction, a single normal number a seed: over the few seeds of Theil-Sen a ratio like this one is chance';
  }
  if (target === 'leverage' && spoilt?.share === 0.01) {
    return 'Tukey survives one far row in a hundred, and nobody is twice as good as a fit to the good rows';
  }
  if (
    target === 'privateCoverage' &&
    place.scenario === 'private, leaning features' &&
    against === 'intercept'
  ) {
    return 'the intercept lies far outside of the rows and takes up the errors of all slopes, which noise hides and which all err to the same side';
  }
  if (target === 'speed') {
    return 'a quarter of the time is the start of Node and of threads, a quarter reading and shuffling 168 MB, a quarter the pilot, a tenth steps: with a second of work on two cores, there are no ten times to be had of peers that take five and seven seconds';
  }
  return NOT_LOOKED;
}
