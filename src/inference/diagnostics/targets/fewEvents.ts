import { isGlm } from '../../../method/loss/glm.ts';
import { counted } from '../../../words.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { severe, type Tell } from '../notes.ts';

/**
 * With fewer, the fit has followed each of them, and intervals are too narrow: of nominal 95 %, 75 to 80 % covered the
 * true value with one event per coefficient, 89 % with two.
 */
const EVENTS_PER_COEFFICIENT = 5;

/**
 * For generalized linear models: the effective number of events, to which a class that is certain adds none, and for
 * classes the rows of the rarer one. Null where there are enough events.
 */
export function fewEvents({ study, rows: { target }, estimate, curvature: { total } }: FittedStudy): {
  readonly fewEvents: number | null;
  readonly rarerClass: number | null;
} {
  const { loss, isSeparated = false } = estimate;
  if (!isGlm(loss) || isSeparated || !(total < EVENTS_PER_COEFFICIENT * study.penalties.length))
    return { fewEvents: null, rarerClass: null };
  const ones = target.reduce((count, value) => (value === 1 ? count + 1 : count), 0);
  return {
    fewEvents: Math.max(1, Math.round(total)),
    rarerClass: loss.name === 'logistic' ? Math.min(ones, target.length - ones) : null,
  };
}

/** A fit overfits few events. */
export const eventNotes: Tell = ({ pilot, loss, fit }) => {
  const { fewEvents: effective, rarerClass } = pilot.targets;
  if (effective === null) return null;
  const rows = counted(pilot.rows.positiveWeight, 'row');
  const size = fit.theta.length;
  const are = rarerClass === 1 ? 'is' : 'are';
  const events =
    rarerClass === null
      ? `there ${effective === 1 ? 'is' : 'are'} only about ${effective} effective ${effective === 1 ? 'event' : 'events'} for ${size} coefficients`
      : effective < MOSTLY_UNCERTAIN * rarerClass
        ? `${rarerClass} of ${rows} ${are} of the rarer class, but most are predicted well and only about ${effective} are effective, for ${size} coefficients`
        : `only ${rarerClass} of ${rows} ${are} of the rarer class, for ${size} coefficients`;
  return `${events}: coefficients are rough, and intervals rely on the ${loss.name} model; use more rows or fewer features`;
};

/** Share of the rarer class: where features predict little, the effective number is about that of its rows. */
const MOSTLY_UNCERTAIN = 0.7;

/** Targets that a fit without features could have predicted, or that features predict without fail. */
export const separationNotes: Tell = ({ pilot, loss }) => {
  const { constant } = pilot.targets;
  if (!pilot.estimate.isSeparated) return constant === null ? null : constantTarget(pilot);
  if (loss.name === 'poisson')
    return severe(
      'every target of the pilot rows is 0: there is no finite estimate, and the coefficients are where the search stopped; add `penalty`',
    );
  return severe(
    loss.name === 'logistic' && constant !== null
      ? `the target is ${constant} in every pilot row: there is no finite estimate, and the coefficients are meaningless; add rows of the other class, or \`penalty\``
      : 'the classes of the pilot rows are perfectly separated: there is no finite estimate, and the coefficients give a direction only; add `penalty`',
  );
};

const constantTarget = ({ targets, rows: { positiveWeight } }: PilotedRun['pilot']): string =>
  `the target is ${targets.constant} in ${positiveWeight === 1 ? 'the one pilot row' : `all ${positiveWeight} pilot rows`}: slopes are 0, and the noise is unknown; check the target column`;

/** Where a fit can match every target, residuals do not show the noise. */
export const saturationNotes: Tell = ({ pilot, fit }) => {
  const coefficients = fit.theta.length;
  return pilot.rows.positiveWeight <= coefficients
    ? severe(
        `${counted(coefficients, 'coefficient')} for ${counted(pilot.rows.positiveWeight, 'row')}: the fit matches every target, whatever the noise; use fewer features or more rows, or add \`penalty\``,
      )
    : null;
};
