import { version } from '../../version.ts';
import type { LiveEstimate, LiveFacts, LiveStatus } from './liveState.ts';

/** What metrics are made of. */
export interface Measured {
  readonly facts: LiveFacts;
  readonly estimate: LiveEstimate | null;
  readonly status: LiveStatus;
  readonly rowsPerSecond: number;
  /** The number of alarms since the process began. */
  readonly alarms: number;
  /** When the latest estimate was shown, in seconds since 1970; null before the first. */
  readonly shownAt: number | null;
  readonly isHealthy: boolean;
}

/** The media type of Prometheus' text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | null];

/** The state of a run in Prometheus' text format. What a run does not have is left out. */
export function metricsText({ facts, estimate, status, rowsPerSecond, alarms, shownAt, isHealthy }: Measured): string {
  const { source, target, isPrivate } = facts;
  const coefficients = estimate?.coefficients ?? [];
  const { chunk, all } = estimate?.progressiveError ?? { chunk: null, all: null };
  const ends = coefficients.flatMap(({ name, now, anyTime }): Sample[] =>
    [['now', now] as const, ['any-time', anyTime] as const].flatMap(([interval, known]) =>
      (['lower', 'upper'] as const).map((end, k): Sample => [{ name, interval, end }, known?.[k] ?? null]),
    ),
  );
  return [
    family('info', 'gauge', 'The run.', [[{ version, source, target, private: String(isPrivate) }, 1]]),
    family('healthy', 'gauge', 'Whether /healthz says so.', [[{}, Number(isHealthy)]]),
    family('rows_read_total', 'counter', 'Rows that have arrived.', [
      [{}, Math.max(status.read, estimate?.rows.read ?? 0)],
    ]),
    family('rows_used', 'gauge', 'Rows that the estimate rests on.', [[{}, estimate?.rows.used ?? null]]),
    family('rows_per_second', 'gauge', 'Rows that arrive in a second, over the last ten.', [[{}, rowsPerSecond]]),
    family('chunk', 'gauge', 'The latest chunk.', [[{}, estimate?.chunk ?? null]]),
    family('lag_items', 'gauge', 'Items that wait in the source.', [[{}, status.lag]]),
    family('dead_letters_total', 'counter', 'Records that could not be used.', [
      [{}, isPrivate ? null : status.deadLetters],
    ]),
    family('alarms_total', 'counter', 'Alarms since the process began.', [[{}, alarms]]),
    family('last_alarm_chunk', 'gauge', 'The chunk of the latest alarm.', [[{}, estimate?.alarm?.chunk ?? null]]),
    family('last_estimate_timestamp_seconds', 'gauge', 'When the latest estimate came.', [[{}, shownAt]]),
    family('progressive_error', 'gauge', 'The mean loss of rows before they were learnt from.', [
      [{ of: 'chunk' }, chunk],
      [{ of: 'all' }, all],
    ]),
    family(
      'coefficient',
      'gauge',
      'The estimate, in the units of the data.',
      coefficients.map(({ name, estimate: value }) => [{ name }, value]),
    ),
    family(
      'coefficient_error',
      'gauge',
      'The standard error.',
      coefficients.map(({ name, error }) => [{ name }, error]),
    ),
    family('coefficient_interval', 'gauge', 'The ends of intervals.', ends),
    family('privacy_epsilon', 'gauge', 'What the stream costs, for ever.', [[{}, estimate?.privacy?.epsilon ?? null]]),
    family('privacy_delta', 'gauge', 'The delta of epsilon.', [[{}, estimate?.privacy?.delta ?? null]]),
    family('privacy_mu', 'gauge', 'The mu of Gaussian differential privacy.', [[{}, estimate?.privacy?.mu ?? null]]),
  ].join('');
}

function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([labels, value]) =>
    value === null ? [] : [`sluice_${name}${labelText(labels)} ${numberText(value)}\n`],
  );
  return lines.length === 0 ? '' : `# HELP sluice_${name} ${help}\n# TYPE sluice_${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** As the format has it; other control characters it takes as they are. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const numberText = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
