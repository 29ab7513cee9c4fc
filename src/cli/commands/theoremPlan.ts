/** `sluice plan --theorem`: what a theorem prescribes for a given number of rows, and which of its conditions hold. */
import { ArgumentError } from '../../index.ts';
import { isFeasible, type Prescription } from '../../plan/theorem/index.ts';
import { claimText } from '../../sink/index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { optional, wholeNumber } from '../flags/parse.ts';
import { declaredColumns, refusePrivateFlags } from '../flags/privateOptions.ts';
import {
  plainValues,
  planByTheorem,
  SINGLE_ROWS,
  type TheoremRequest,
  theoremLoss,
  theoremRequest,
} from '../flags/theoremFlags.ts';
import { privatePlanLines } from '../render/privatePlanLines.ts';
import { conditionLines, counted, significant, table } from '../render/text.ts';

export function theoremPlan(flags: FitFlags): string {
  const asked = theoremRequest(flags);
  const { theorem, given } = asked;
  if (!theorem.isPrivate) refusePrivateFlags(flags);
  if (flags.loss !== 'auto') theoremLoss(theorem, flags.loss);
  const rows = optional('--rows', flags.rows, wholeNumber);
  if (rows === undefined)
    throw new ArgumentError('plan reads no data; give --rows N', 'ERR_ARGUMENT', { argument: '--rows' });
  const features = countFeatures(flags);
  const prescription = asked.prescribe(rows, features);
  const feasible = isFeasible(prescription);
  if (flags.json) {
    return `${JSON.stringify({ rows, features: features ?? null, given: plainValues(given), feasible, prescription })}\n`;
  }
  const lines = [
    `theorem ${prescription.theorem} for ${counted(rows, 'row')}${features === undefined ? '' : `, ${counted(features, 'feature')}`}`,
    table(prescribed(prescription)).trimEnd(),
    'conditions',
    conditionLines(prescription.conditions).trimEnd(),
    ...(feasible
      ? fitLines(asked, flags, rows)
      : ['the theorem does not hold for these numbers; fit would refuse the run']),
  ];
  return `${lines.join('\n')}\n`;
}

/** The value of --width, or the number of named features; some theorems need neither. */
function countFeatures(flags: FitFlags): number | undefined {
  const isNamed = flags.features !== undefined || flags.bounds !== undefined;
  const width = optional('--width', flags.width, wholeNumber);
  return isNamed && flags.normBound === undefined ? declaredColumns(flags).length : width;
}

function prescribed(given: Prescription): readonly (readonly string[])[] {
  const { stepSize, momentum, privacy, mode, chunkRows, penalty } = given;
  const optionalNumber = (value: number | null, otherwise: string): string =>
    value === null ? otherwise : significant(value);
  return [
    ['rule', given.rule],
    ['mode', mode === 'full' ? 'full: every step over all rows' : 'fresh: every step over a new chunk'],
    ['steps T', significant(given.steps)],
    ['rows a step', String(chunkRows)],
    [
      'step size',
      typeof stepSize === 'number'
        ? significant(stepSize)
        : stepSize === 'harmonic'
          ? '2/(t + 2), t from 0'
          : `${significant(stepSize.inverseRoot)}/sqrt(t + 1), t from 0`,
    ],
    [
      'momentum',
      typeof momentum === 'number' ? significant(momentum) : momentum === null ? 'none' : '(t - 1)/(t + 2), t from 1',
    ],
    ['radius', optionalNumber(given.radius, 'none: all of R^p')],
    ['gradient floor', optionalNumber(given.gradientFloor, 'none')],
    ['contraction', optionalNumber(given.contraction, 'none')],
    ['ridge penalty', penalty === 0 ? 'none' : significant(penalty)],
    ['estimator', estimatorText(given.estimator)],
    [
      'noise',
      privacy === null
        ? 'none'
        : `standard deviation ${optionalNumber(privacy.sigma, 'unknown')} on each coordinate, for (${privacy.epsilon}, ${privacy.delta}) and gradients of norm ${significant(privacy.lipschitz)}`,
    ],
    ['claim', claimText(given.claim)],
  ];
}

function estimatorText(estimator: Prescription['estimator']): string {
  switch (estimator.kind) {
    case 'mean':
      return 'mean';
    case 'median-of-means':
      return `geometric median of ${estimator.blocks} block means`;
    case 'huber':
      return `Huber estimator for a share ${estimator.contamination} of arbitrary rows, failing with probability ${significant(estimator.failureProbability)}`;
    case 'single-row':
      return 'one secretly drawn row';
  }
}

/**
 * How fit would carry out a private theorem, where the bounds suffice to say; its calibration may be sharper than the
 * paper's.
 */
function fitLines(asked: TheoremRequest, flags: FitFlags, rows: number): readonly string[] {
  const { theorem } = asked;
  if (theorem.label === SINGLE_ROWS)
    return ['fit simulates it with --seed S, on rows in memory; it is not a private pipeline'];
  if (flags.bounds === undefined && flags.normBound === undefined) return [];
  return ['fit', ...privatePlanLines(planByTheorem(asked, flags, rows)).map(line => `  ${line}`)];
}
