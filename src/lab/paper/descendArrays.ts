import { blockSummer } from '../../engine/kernel/blockSummer.ts';
import { huberEstimator, withRest } from '../../engine/kernel/huberEstimator.ts';
import { rowGradients } from '../../engine/kernel/rowGradients.ts';
import { ArgumentError, requireLength } from '../../errors.ts';
import { penalize } from '../../flow/descend.ts';
import type { Iterate } from '../../flow/iterate.ts';
import type { Vector } from '../../math/vector.ts';
import { type Plan, rowsUsed, type StepPlan } from '../../plan/plan.ts';
import { nonPrivateEvent } from '../../privacy/event.ts';
import { ledger } from '../../privacy/ledger.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { counted } from '../../words.ts';

/**
 * alg:RobPGDNFW (in full mode algs PrivNon-accERM and PrivFWERM) over rows in memory, in plain loops: the oracle that
 * the streaming pipeline must equal.
 *
 * Every iterate from the start on. A plan with noise needs the mechanism that draws it.
 */
export function descendArrays(data: SampleBatch, plan: Plan, mechanism?: Mechanism): readonly Iterate[] {
  if (data.rows !== plan.rows)
    throw new ArgumentError(
      `data must have the plan's ${counted(plan.rows, 'row')}, got ${data.rows}`,
      'ERR_CONFLICT',
      { arguments: ['plan', 'data'], rows: data.rows },
    );
  requireLength('data.columns', data.columns, plan.features);
  let state = plan.rule.init(plan.start);
  let spent = ledger();
  let offset = 0;
  const iterates: Iterate[] = [{ step: 0, theta: plan.rule.iterate(state), gradient: null, rows: 0, ledger: spent }];
  plan.steps.forEach((step, t) => {
    const rows = step.chunk === 'all' ? data : rowsBetween(data, offset, offset + step.rows);
    if (step.chunk !== 'all') offset += step.rows;
    const at = plan.rule.query(state);
    spent = spent.charge(eventOf(step, mechanism));
    const gradient = penalize(estimate(rows, at, step, plan, mechanism), at, plan);
    state = plan.rule.step(state, gradient);
    iterates.push({
      step: t + 1,
      theta: plan.rule.iterate(state),
      gradient,
      rows: rowsUsed(step),
      ledger: spent,
    });
  });
  return iterates;
}

function eventOf({ chunk, release }: StepPlan, mechanism: Mechanism | undefined) {
  if (release === null) return nonPrivateEvent({ chunk, reason: 'no noise' });
  if (mechanism === undefined) {
    throw new ArgumentError(
      'the plan is private, so descendArrays needs a mechanism, got none; pass one as its third argument',
      'ERR_NOT_PRIVATE',
      { argument: 'mechanism' },
    );
  }
  return mechanism.event(release);
}

function estimate(rows: SampleBatch, at: Vector, step: StepPlan, plan: Plan, mechanism?: Mechanism): Gradient {
  const { loss, intercept, estimation } = plan;
  if (estimation.kind === 'huber') {
    return {
      values: huberEstimator(estimation)(rowGradients(rows, { loss, at, intercept })),
      privacy: 'raw',
    };
  }
  const { blocks, rowsPerBlock, rest = 0 } = step;
  const summer = withRest(blockSummer, { loss, at, intercept, blocks, rowsPerBlock }, rest);
  summer.add(rows);
  const sums = summer.finish();
  const { aggregator } = estimation;
  return step.release === null || mechanism === undefined
    ? aggregator.aggregate(sums)
    : aggregator.aggregate(mechanism.perturb(sums, step.release));
}
