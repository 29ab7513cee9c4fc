/** Progress on standard error: a line that is redrawn on a terminal, one line every ten seconds elsewhere. */

import type { CallOptions } from '../../fit/index.ts';

export interface Progress {
  /** Rows read so far in this pass, and their total: infinite where it is unknown. */
  rows(done: number, total: number): void;
  /** What the run is doing now: 'shuffling', 'step 2/4'. */
  phase(name: string): void;
  /** Both, as calls of the library tell of themselves. */
  readonly tell: Told;
  end(): void;
}

type Told = NonNullable<CallOptions['onProgress']>;

const silent: Progress = { rows: () => {}, phase: () => {}, tell: () => {}, end: () => {} };

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly stream?: NodeJS.WriteStream;
  readonly now?: () => number;
}

export function progress({ quiet, stream = process.stderr, now = Date.now }: ProgressOptions): Progress {
  if (quiet) return silent;
  const terminal = stream.isTTY === true;
  const interval = terminal ? 100 : 10_000;
  let name = 'reading';
  let begun = now();
  let shown = terminal ? 0 : now();
  let drawn = false;
  /**
   * Rows of the pass, now and at the start of the phase: a pass may span several phases, and a phase several passes.
   */
  let read = 0;
  let before = 0;

  const draw = (done: number, total: number): void => {
    const seconds = Math.max(1e-3, (now() - begun) / 1000);
    const speed = (done - before) / seconds;
    const left = speed > 0 ? Math.max(0, total - done) / speed : Infinity;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const text =
      total === Infinity
        ? `${name}  ${short(done)} rows  ${short(speed)} rows/s`
        : `${name}  ${bar(share)} ${(100 * share).toFixed(0).padStart(3)} %  ${short(done)} of ${short(total)} rows  ${short(speed)} rows/s  ${duration(left)} left`;
    if (terminal) stream.write(`\r\x1b[K${text.slice(0, Math.max(20, (stream.columns ?? 100) - 1))}`);
    else stream.write(`${text}\n`);
    drawn = terminal;
  };

  const rows: Progress['rows'] = (done, total) => {
    if (done < read) {
      before = 0;
      begun = now();
    }
    read = done;
    if (done === before || now() - shown < interval) return;
    shown = now();
    draw(done, total);
  };
  const phase: Progress['phase'] = next => {
    name = next;
    begun = now();
    before = read;
  };
  return {
    rows,
    phase,
    tell: told => {
      if (told.phase !== name) phase(told.phase);
      rows(told.rows, told.of);
    },
    end: () => {
      if (drawn) stream.write('\r\x1b[K');
      drawn = false;
    },
  };
}

const bar = (share: number): string => {
  const full = Math.round(20 * share);
  return `${'█'.repeat(full)}${'░'.repeat(20 - full)}`;
};

/** 1234567 -> '1.23 M' */
export function short(value: number): string {
  for (const [size, unit] of [
    [1e9, ' G'],
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)}${unit}`;
  }
  return value.toFixed(0);
}

function duration(left: number): string {
  if (!Number.isFinite(left)) return '?';
  const seconds = Math.ceil(left);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
