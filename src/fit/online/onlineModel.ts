import { skippedNotes } from '../../inference/diagnostics/columns/leftOutColumns.ts';
import { listNotes, type Note, severe, type Told } from '../../inference/diagnostics/notes.ts';
import type { PrivateReport } from '../../inference/online/privateIntervals.ts';
import { studentQuantile } from '../../math/studentTail.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { Model } from '../../model/model.ts';
import type { Plan, Steps } from '../../plan/plan.ts';
import type { PrivacyLedger } from '../../privacy/ledger.ts';
import { undeclaredNames } from '../../sample/levelTally.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import type { LiveDesign } from '../../source/live/liveDesign.ts';
import { namesOf } from '../../source/live/liveDesign.ts';
import type { Position } from '../../source/live/liveSource.ts';
import { counted } from '../../words.ts';
import { type ModelAccount, modelRecord, namedUncertainty } from '../modelRecord.ts';
import { resultOf } from '../result.ts';
import type { Alarm, OnlineEstimate } from './onlineEstimate.ts';

/** How far a run has come, in what checkpoints of both kinds of runs have in common. Plain data. */
export interface Course {
  readonly position: Position | null;
  /** Rows that chunks have used. */
  readonly read: number;
  /** Of these, rows without a usable value; 0 in a private run, which does not count them. */
  readonly unusable: number;
  /** Rows with a level that neither the pilot had nor the caller declared, by column. */
  readonly newLevels: Readonly<Record<string, { readonly rows: number; readonly levels: readonly string[] }>>;
  readonly deadLetters: number;
  /** What the first rows said of the columns. */
  readonly about: Pick<Model, 'choices' | 'notes' | 'severeNotes' | 'reference' | 'pooled'>;
}

/** What the model and the estimate are made of, beside the report. */
export interface OnlineFacts {
  readonly target: string;
  readonly design: LiveDesign;
  readonly course: Course;
  readonly loss: NamedLoss;
  readonly plan: Plan<Steps>;
  /** The number of the chunk, from 0. */
  readonly chunk: number;
  readonly alarm: Alarm | null;
  readonly ledger: PrivacyLedger;
  readonly account: ModelAccount['plan'];
  readonly privacy?: Model['ledger'];
  /** What is to be said beside what the columns' first rows said. */
  readonly notes: Told<Note>;
  readonly choices: readonly string[];
  /** The share of intervals that hold: 0.95. */
  readonly level: number;
  /** Degrees of freedom of each coefficient. */
  readonly freedom: readonly number[];
  readonly basis: string;
  readonly lag: number | null;
}

type Report = Pick<PrivateReport, 'theta' | 'now' | 'anyTime' | 'rows'> & {
  readonly errors: ArrayLike<number> | null;
  readonly progressive: { readonly chunk: number; readonly all: number } | null;
};

/** The estimate after a chunk, with its model, from what the run's state says. */
export function onlineEstimate(report: Report, facts: OnlineFacts): OnlineEstimate {
  const { target, design, course, loss, plan, chunk, alarm, ledger, privacy, choices, lag } = facts;
  const names = namesOf(design);
  const isPrivate = privacy !== undefined;
  const { choices: found = [], notes: said = [], severeNotes = [], ...levels } = course.about;
  const told = listNotes([
    facts.notes,
    said.map((text, k) => (severeNotes.includes(k) ? severe(text) : text)),
    isPrivate
      ? null
      : skippedNotes({ names, order: 'as-is', skipped: { read: course.read, invalid: course.unusable, columns: [] } }),
    newLevelNotes(course),
  ]);
  const all = [...choices, ...found];
  const model = modelRecord(
    {
      fit: { theta: report.theta, steps: [], rows: { used: report.rows, leftOver: 0 }, ledger },
      plan: plan as never,
      loss,
    },
    {
      theta: report.theta,
      names,
      read: course.read,
      invalid: isPrivate ? null : course.unusable,
      target,
      categorical: design.categorical,
      times: design.times,
      plan: facts.account,
      ...(privacy && { ledger: privacy }),
      ...uncertaintyOf(report, names, facts),
      ...(all.length > 0 && { choices: all }),
      ...(told.notes!.length > 0 && told),
      ...levels,
    },
  );
  const result = resultOf(model);
  const anyTime = new Map([...names, INTERCEPT].map((name, j) => [name, report.anyTime[j] ?? null]));
  return {
    ...result,
    coefficients: Object.fromEntries(
      Object.entries(result.coefficients).map(([name, known]) => [
        name,
        { ...known, anyTime: anyTime.get(name) ?? null },
      ]),
    ),
    chunk,
    rows: { used: report.rows, read: course.read },
    position: positionOf(course),
    progressiveError: isPrivate ? null : report.progressive,
    alarm,
    deadLetters: isPrivate ? null : course.deadLetters,
    lag,
    ledger,
  };
}

/** Where the next chunk begins. */
export const positionOf = ({ position }: Course): Position => position ?? { after: null, rows: 0 };

/**
 * An estimate of which only what is known already is there. The rest is made, once, when any of it is asked for: of a fast
 * stream most estimates pass by unread.
 */
export function estimateLater(
  known: Omit<OnlineEstimate, 'coefficients' | 'notes' | 'choices' | 'model' | 'alarm' | 'ledger'>,
  make: () => OnlineEstimate,
): OnlineEstimate {
  let made: OnlineEstimate | undefined;
  const whole = (): OnlineEstimate => {
    made ??= make();
    return made;
  };
  return {
    ...known,
    get coefficients() {
      return whole().coefficients;
    },
    get notes() {
      return whole().notes;
    },
    get choices() {
      return whole().choices;
    },
    get model() {
      return whole().model;
    },
    get alarm() {
      return whole().alarm;
    },
    get ledger() {
      return whole().ledger;
    },
  };
}

function uncertaintyOf(
  { theta, errors, now }: Report,
  names: readonly string[],
  { level, freedom, basis }: OnlineFacts,
): Pick<Model, 'uncertainty'> {
  if (errors === null || now.every(ends => ends === null)) return {};
  const end = (side: 0 | 1): Float64Array => Float64Array.from(theta, (value, j) => now[j]?.[side] ?? value);
  const without = now.flatMap((ends, j) => (ends === null ? [j] : []));
  const radii = Float64Array.from(freedom, own => studentQuantile(1 - (1 - level) / (2 * theta.length), own));
  return {
    uncertainty: namedUncertainty(
      { level, errors: Float64Array.from(errors), lower: end(0), upper: end(1), radii },
      names,
      basis,
      without,
    ),
  };
}

/** Levels that came after the pilot have no coefficient of their own. */
const newLevelNotes = ({ newLevels }: Course): Told =>
  Object.entries(newLevels).map(([column, { rows, levels }]) => {
    const named = undeclaredNames({ others: levels.map(level => ({ level, rows: 1 })), unnamed: 0 });
    return `${counted(rows, 'row')} ${rows === 1 ? 'has' : 'have'} a level of ${JSON.stringify(column)} that came after the pilot${named === '' ? '' : ` (${named})`}: ${rows === 1 ? 'it counts' : 'they count'} as its reference, or as (other) where it has one; declare levels with \`categorical\` in another run to give them coefficients`;
  });
