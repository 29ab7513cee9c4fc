/** `sluice plan --epsilon`: what a private fit would do, and its predicted error, from what is declared. */

import { momentAccount, privatePenaltyNotes, privateRequest } from '../../fit/index.ts';
import { ArgumentError, type PrivateEstimateOptions } from '../../index.ts';
import type { PredictedError, PrivatePlan } from '../../plan/index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { wholeNumber } from '../flags/parse.ts';
import { declaredColumns, privateOptions, warn } from '../flags/privateOptions.ts';
import { inFlags } from '../render/inFlags.ts';
import { privatePlanLines, widerText } from '../render/privatePlanLines.ts';
import { significant } from '../render/text.ts';

export function privatePlanCommand(flags: FitFlags): void {
  if (flags.rows === undefined)
    throw new ArgumentError('plan reads no data; give --rows N', 'ERR_ARGUMENT', { argument: '--rows' });
  const rows = wholeNumber('--rows', flags.rows);
  const options = privateOptions(flags);
  const features = declaredColumns(flags);
  const planFor = (change: Change, n = rows): PrivatePlan =>
    privateRequest({ ...options, ...change }, n, features).plan;
  const chosen = planFor({});
  const prospects = prospectsOf(chosen, planFor, options, rows);
  const notes = privatePenaltyNotes(chosen).map(inFlags);
  warn(options, flags);
  if (flags.json) {
    const { plan, noise, moments, tail, predicted, predictedIfWider, alternatives, scaling } = chosen;
    const { privacy, mode, steps, leftOver } = plan;
    const { rowLength } = scaling;
    process.stdout.write(
      `${JSON.stringify({ ...seedNote(flags), rows, features: features.length, mode, rule: plan.rule.name, rowLength, ...(moments && { moments: momentAccount(moments, plan) }), tail, privacy, noise, steps, leftOver, predicted, predictedIfWider, alternatives, prospects, ...(notes.length > 0 && { notes }) })}\n`,
    );
    return;
  }
  const { note } = seedNote(flags);
  const lines = [
    ...(note === undefined ? [] : [`${note}: a simulation of the plan below`]),
    ...privatePlanLines(chosen),
    ...chosen.alternatives.map(
      ({ name, predicted, predictedIfWider }) =>
        `  instead: ${name}: ${significant(predicted.total)} (${widerText(predictedIfWider)})`,
    ),
    ...prospects.map(({ name, predicted }) => `  with ${name}: ${significant(predicted.total)}`),
    ...notes.map(note => `note: ${note}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const seedNote = ({ seed }: FitFlags): { readonly note?: string } =>
  seed === undefined ? {} : { note: 'NOT PRIVATE (seeded)' };

type Change = Partial<PrivateEstimateOptions>;

interface Prospect {
  readonly name: string;
  readonly predicted: PredictedError;
}

/** The predicted error with more rows or a larger epsilon. */
function prospectsOf(
  { predicted }: PrivatePlan,
  planFor: (change: Change, rows?: number) => PrivatePlan,
  { epsilon }: PrivateEstimateOptions,
  rows: number,
): readonly Prospect[] {
  if (predicted === null) return [];
  const predictionsFor = (change: Change, n: number): readonly PredictedError[] => {
    try {
      return [planFor(change, n).predicted!];
    } catch (error) {
      // Twice the epsilon may require another calibration.
      if (error instanceof ArgumentError) return [];
      throw error;
    }
  };
  const prospect = (name: string, change: Change, n: number): readonly Prospect[] => {
    const [found] = predictionsFor(change, n);
    return found === undefined ? [] : [{ name, predicted: found }];
  };
  return [
    // Delta stays unchanged, although twice the rows would call for half of it.
    ...prospect('twice the rows', { acceptLargeDelta: true }, 2 * rows),
    ...prospect('twice the epsilon', { epsilon: 2 * epsilon }, rows),
  ];
}
