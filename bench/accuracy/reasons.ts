/**
 * Why a target is missed: written by hand after analysing the fit, so a newly missed target has no reason until someone
 * has looked into it.
 */
import { scenarioNamed } from './settings.ts';
import type { Verdict } from './verdicts.ts';

const NOT_LOOKED = 'not analysed yet';

export function reasonFor({ target, place, against, value }: Verdict): string {
  const { spoilt } = scenarioNamed(place.scenario);
  if (value === null) return 'gave up: see its message in accuracy.json';
  if (target === 'best' && place.scenario === 'ill-conditioned') {
    return 'the error is that of one direction, a single normal variable per seed: over the few seeds of Theil-Sen a ratio of this size is chance';
  }
  if (target === 'leverage' && spoilt?.share === 0.01) {
    return 'Tukey withstands one high-leverage row in a hundred, and no method can be twice as good as a fit to the good rows';
  }
  if (target === 'privateCoverage' && place.scenario === 'private, leaning features' && against === 'intercept') {
    return 'the intercept is an extrapolation far from the rows and collects the errors of all slopes, which noise hides and which all have the same sign';
  }
  if (target === 'speed') {
    return 'a quarter of the time is starting Node and threads, a quarter reading and shuffling 168 MB, a quarter the pilot, a tenth the steps: with 1.2 seconds of processor time on two cores, Sluice cannot be ten times as fast as peers that take three and four seconds';
  }
  return NOT_LOOKED;
}
