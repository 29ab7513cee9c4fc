import type { LiveEstimate, LiveStatus } from '../../sink/index.ts';
import { atPoint, type Column, print, toDecimalsOf, UNKNOWN, widthOf } from './numberTable.ts';
import { short } from './progress.ts';
import { significant, visible, wrapped } from './text.ts';

/** A run of a stream in a terminal. */
export interface WatchTable {
  /** Shows an estimate; as often as they come. */
  show(estimate: LiveEstimate): void;
  /** Shows how the run is doing between estimates. */
  tell(status: Pick<LiveStatus, 'phase' | 'progress' | 'problems'>): void;
  /** Leaves the latest estimate on the screen, and the cursor below it. */
  end(): void;
}

/** Where and how a live table is shown. */
export interface WatchTableOptions {
  readonly quiet: boolean;
  readonly stream?: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>;
  readonly now?: () => number;
}

/** Milliseconds between two drawings on a terminal, and between two lines elsewhere. */
const [REDRAWN, WRITTEN] = [250, 10_000];

const silent: WatchTable = { show: () => {}, tell: () => {}, end: () => {} };

/**
 * Shows the estimates of a stream: on a terminal as a table that is drawn again in place, elsewhere as one line every
 * ten seconds, problems at once.
 */
export function watchTable({ quiet, stream = process.stderr, now = Date.now }: WatchTableOptions): WatchTable {
  if (quiet) return silent;
  const isTerminal = stream.isTTY === true;
  let estimate: LiveEstimate | null = null;
  let status: Pick<LiveStatus, 'phase' | 'progress' | 'problems'> = { phase: 'waiting', progress: null, problems: {} };
  let shown = -Infinity;
  let height = 0;
  let said = '';
  let written: LiveEstimate | null = null;
  const speed = speedometer(now);

  const draw = (): void => {
    const width = Math.max(20, (stream.columns ?? 80) - 1);
    // A table taller than the screen could not be drawn again in place.
    const most = Math.max(4, (stream.rows ?? 24) - 1);
    const lines = linesOf(estimate, status, speed.rate(), width, most);
    const up = height > 1 ? `\x1b[${height - 1}A` : '';
    // Line by line, each cleared behind its text, so that nothing flickers; then what is left of a taller table.
    stream.write(`${height > 0 ? `\r${up}` : ''}${lines.map(line => `${line}\x1b[K`).join('\n')}\x1b[J`);
    height = lines.length;
    written = estimate;
  };
  const write = (): void => {
    if (estimate === null || estimate === written) return;
    written = estimate;
    stream.write(`${plainLine(estimate, speed.rate())}\n`);
  };
  const update = (): void => {
    const interval = isTerminal ? REDRAWN : WRITTEN;
    if (now() - shown < interval) return;
    shown = now();
    (isTerminal ? draw : write)();
  };

  return {
    show: found => {
      if (!isTerminal && found.alarm !== null && found.alarm.chunk !== estimate?.alarm?.chunk) {
        stream.write(`${visible(alarmWords(found))}\n`);
      }
      estimate = found;
      speed.read(found.rows.read);
      update();
    },
    tell: found => {
      status = found;
      const problems = Object.values(found.problems).join('\n');
      if (!isTerminal && problems !== said) {
        stream.write(problems === '' ? 'the problem is over\n' : `${problems.split('\n').map(visible).join('\n')}\n`);
      }
      said = problems;
      update();
    },
    end: () => {
      if (isTerminal) {
        draw();
        stream.write('\n');
      } else write();
      height = 0;
    },
  };
}

function linesOf(
  estimate: LiveEstimate | null,
  { phase, progress, problems }: Pick<LiveStatus, 'phase' | 'progress' | 'problems'>,
  rowsPerSecond: number,
  width: number,
  most: number,
): string[] {
  const part = progress === null ? '' : `${short(progress.rows)} of ${short(progress.of)} rows`;
  const doing = { waiting: 'waiting for the pilot', running: 'next chunk', ended: 'the stream has ended' }[phase];
  const footer = [
    phase === 'ended' ? doing : `${doing}${part && `: ${part}`}`,
    ...Object.values(problems).map(visible),
  ];
  const head = estimate === null ? [] : [visible(summary(estimate, rowsPerSecond))];
  if (estimate?.alarm) head.push(visible(alarmWords(estimate)));
  const around = [head, footer].map(texts => texts.flatMap(text => wrapped(text, width).split('\n')));
  const lines = estimate === null ? [] : tableOf(estimate, width).trimEnd().split('\n');
  const room = Math.max(2, most - around.flat().length);
  const left = lines.length - room;
  const table = left > 0 ? [...lines.slice(0, room - 1), `  … and ${left + 1} more`] : lines;
  return [...around[0]!, ...table, ...around[1]!].slice(0, most);
}

/** The coefficients with both intervals; the standard errors and then the any-time intervals are left out for width. */
export function tableOf({ coefficients, level }: LiveEstimate, width = Infinity): string {
  const rows = coefficients.map(({ estimate, error, now, anyTime }) => {
    const text = error === null ? significant : toDecimalsOf(estimate, error);
    return { text, estimate, error, now, anyTime };
  });
  const numbers = (title: string, read: (row: (typeof rows)[number]) => number | null | undefined): Column => ({
    title,
    cells: atPoint(
      rows.map(row => {
        const value = read(row);
        return value === null || value === undefined ? UNKNOWN : row.text(value);
      }),
    ),
  });
  const interval = (title: string, kind: 'now' | 'anyTime'): Column => {
    const [lower, upper] = ([0, 1] as const).map(end => numbers('', row => row[kind]?.[end]).cells);
    return { title, cells: rows.map((row, k) => (row[kind] === null ? UNKNOWN : `${lower![k]} .. ${upper![k]}`)) };
  };
  const names: Column = { title: '', cells: coefficients.map(({ name }) => visible(name)) };
  const share = `${significant(100 * level)} %`;
  const [estimates, errors] = [numbers('estimate', row => row.estimate), numbers('std. error', row => row.error)];
  const [now, anyTime] = [interval(`${share} now`, 'now'), interval(`${share} at any time`, 'anyTime')];
  const forms = [
    [names, estimates, errors, now, anyTime],
    [names, estimates, now, anyTime],
    [names, estimates, anyTime],
    [names, estimates],
  ];
  return print(forms.find(columns => widthOf(columns) <= width) ?? forms.at(-1)!, width);
}

/** A run in one line, for logs. */
export function plainLine(estimate: LiveEstimate, rowsPerSecond: number): string {
  const shown = estimate.coefficients.slice(0, MOST_NAMED).map(({ name, estimate: value, error }) => {
    const text = error === null ? significant : toDecimalsOf(value, error);
    return `${name} ${text(value)}${error === null ? '' : ` (${text(error)})`}`;
  });
  const more = estimate.coefficients.length - shown.length;
  return visible([summary(estimate, rowsPerSecond), ...shown, ...(more > 0 ? [`${more} more`] : [])].join('  '));
}

const MOST_NAMED = 4;

const summary = (
  { target, chunk, rows, progressiveError, deadLetters, lag, privacy }: LiveEstimate,
  rowsPerSecond: number,
): string =>
  [
    target,
    `chunk ${chunk}`,
    `${short(rows.used ?? rows.read)} rows`,
    `${short(rowsPerSecond)} rows/s`,
    ...(lag === null ? [] : [`${short(lag)} waiting`]),
    ...(progressiveError === null ? [] : [`error ${Number(progressiveError.all.toPrecision(4))}`]),
    ...(deadLetters ? [`${short(deadLetters)} dead letters`] : []),
    ...(privacy === null ? [] : [`epsilon ${privacy.epsilon ?? UNKNOWN}, delta ${privacy.delta ?? UNKNOWN}`]),
  ].join('  ');

const alarmWords = ({ alarm }: LiveEstimate): string =>
  `alarm: a change at chunk ${alarm!.chunk}, most clearly in ${alarm!.coefficient}`;

/** Rows per second between the latest readings that are at least a second apart. */
function speedometer(now: () => number): { read(rows: number): void; rate(): number } {
  let from: { at: number; rows: number } | undefined;
  let rate = 0;
  return {
    read: rows => {
      const at = now();
      if (from !== undefined && at - from.at < 1000) return;
      if (from !== undefined) rate = Math.max(0, (1000 * (rows - from.rows)) / (at - from.at));
      from = { at, rows };
    },
    rate: () => rate,
  };
}
