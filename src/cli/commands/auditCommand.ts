/** `sluice audit`: replays synthetic neighbouring data sets through the pipeline of a private plan. Reads no data. */

import { privateRequest } from '../../fit/index.ts';
import { ArgumentError } from '../../index.ts';
import { type AuditReport, auditPrivate, privatePipeline, smallPlan } from '../../lab/audit/index.ts';
import type { PrivatePlan } from '../../plan/index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { wholeNumber } from '../flags/parse.ts';
import { declaredColumns, isPrivate, privateOptions } from '../flags/privateOptions.ts';
import { refuseRows } from '../flags/refuseRows.ts';
import { planByTheorem, refuseGiven, SINGLE_ROWS, theoremRequest } from '../flags/theoremFlags.ts';
import { counted, significant, table } from '../render/text.ts';

export interface AuditFlags {
  readonly pairs?: string;
  readonly draws?: string;
  readonly order?: 'shuffle' | 'as-is';
  readonly orderSeed?: string;
  readonly json?: boolean;
}

const ROWS = 64;

/** Audits the plan that `fit` would make from these flags. */
export async function auditCommand(flags: FitFlags & AuditFlags): Promise<void> {
  refuseRows(flags, 'audit');
  if (!isPrivate(flags))
    throw new ArgumentError('audit checks private runs only; give --epsilon and --delta', 'ERR_ARGUMENT', {
      argument: '--epsilon',
    });
  if (flags.seed !== undefined) {
    throw new ArgumentError(
      '--seed makes the run a simulation, NOT PRIVATE (seeded), so there is nothing to audit; leave it out',
      'ERR_CONFLICT',
      { arguments: ['--seed', 'audit'] },
    );
  }
  await auditPlan(planOf(flags), flags);
}

function planOf(flags: FitFlags): PrivatePlan {
  const rows = wholeNumber('--rows', flags.rows ?? '');
  if (flags.theorem === undefined) {
    refuseGiven(flags);
    return privateRequest(privateOptions(flags), rows, declaredColumns(flags)).plan;
  }
  const asked = theoremRequest(flags);
  const { theorem } = asked;
  if (!theorem.isPrivate || theorem.label === SINGLE_ROWS) {
    throw new ArgumentError(
      `theorem ${theorem.label} does not prescribe a private run of fit, so there is nothing to audit; choose a private theorem`,
      'ERR_ARGUMENT',
      { argument: '--theorem', value: theorem.label },
    );
  }
  return planByTheorem(asked, flags, rows);
}

/** Prints the report; a failed audit ends the process with code 2. */
export async function auditPlan(made: PrivatePlan, flags: AuditFlags): Promise<void> {
  const plan = smallPlan(made, ROWS);
  const { pairs, draws, order, orderSeed, json } = flags;
  const report = await auditPrivate(
    privatePipeline(plan, {
      ...(order !== undefined && { order }),
      ...(orderSeed !== undefined && { orderSeed }),
    }),
    plan,
    {
      ...(pairs !== undefined && { pairs: wholeNumber('--pairs', pairs) }),
      ...(draws !== undefined && { draws: wholeNumber('--draws', draws) }),
    },
  );
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderAudit(report, made));
  if (!report.passed) process.exitCode = 2;
}

export function renderAudit(report: AuditReport, { plan, moments, curvatureRelease }: PrivatePlan): string {
  const { passed, breaches, rows, runs, pairs, sensitivity, cells, noise, mu, epsilon, draws } = report;
  const { calibration } = plan.privacy!;
  const releases = [...plan.steps, moments, curvatureRelease].filter(release => release !== null).length;
  const lines = [
    ['sensitivity', `${ratio(sensitivity)} grid steps, over ${pairs} neighbouring pairs`],
    ['blocks moved', `${ratio(cells)} by one unit, over ${counted(releases, 'release')}`],
    [
      'noise',
      `${noise.measured === Infinity ? 'undetermined (too few draws)' : `at most ${significant(noise.measured)}`}, declared ${noise.declared} grid steps`,
    ],
    [
      'mu',
      `at least ${significant(mu.lower)}, the ledger charges ${significant(mu.ledger)}${mu.lower > 0 ? '' : '; give more --draws for a sharper bound'}`,
    ],
    [
      'epsilon',
      `at least ${significant(epsilon.lower)}, the ledger charges ${significant(epsilon.ledger)}, at delta ${epsilon.delta}`,
    ],
  ];
  return [
    `${calibration} noise, ${plan.rule.name}, ${counted(plan.steps.length, 'step')} of ${counted(plan.steps[0]!.blocks, 'block')}: `,
    `${counted(runs, 'run')} over ${rows} synthetic rows (seed ${report.seed}), ${counted(draws, 'draw')} of the noise\n`,
    table(lines),
    ...(passed
      ? ['passed: no violation of what the plan declares was found\n']
      : breaches.map(({ kind, reason }) => `FAILED, ${kind}: ${reason}\n`)),
    `a correct pipeline fails with probability at most ${report.falseAlarm}; passing does not prove a pipeline correct\n`,
  ].join('');
}

const ratio = ({ measured, declared }: { measured: number; declared: number }): string =>
  `${significant(measured)} of ${significant(declared)}`;
