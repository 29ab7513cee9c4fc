import type { LevelTally } from '../../sample/levelTally.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import type { PassedOver } from '../../source/design/design.ts';
import type { UnusableIn } from '../../source/read/tableSamples.ts';
import type { Field } from '../../source/table/table.ts';
import { toDigits } from '../../words.ts';
import type { PilotedRun } from '../fittedRun.ts';

/** What a reader should know about a run, in plain words. */
export interface Explanation {
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** What a reader of the estimate should know about the data. */
  readonly notes: readonly string[];
  /**
   * Places in `notes`, from 0, of those that make the estimate or its intervals unreliable; absent where there are none.
   */
  readonly severeNotes?: readonly number[];
}

/** Facts that are not part of an estimate. */
export interface ExplainOptions {
  /** Names of the features. */
  readonly names: readonly string[];
  /** Whether rows were shuffled. */
  readonly order: 'shuffle' | 'as-is';
  /** Columns left out because they are text, dates, times, row indices or of unsupported types; none unless given. */
  readonly passedOver?: readonly PassedOver[];
  /** Rows skipped for unusable values, and the columns that have them; none unless given. */
  readonly skipped?: {
    readonly read: number;
    readonly invalid: number;
    readonly columns: readonly UnusableIn[];
  };
  /** Features that are dates or times; none unless given. */
  readonly times?: readonly string[];
  /** Declared levels of text columns; none unless given. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** The number of rows of each level of text features; none unless given. */
  readonly levels?: readonly LevelTally[];
  /** Features with texts that stand for missing numbers; none unless given. */
  readonly nullTokens?: readonly Pick<Field, 'name' | 'nullTokens'>[];
  /** Columns with whole numbers beyond 2^53, which are the doubles nearest to them; none unless given. */
  readonly rounded?: readonly string[];
  /** Whether the rows are in files, for words about them; true unless given. */
  readonly inFiles?: boolean;
  /** The two levels of a text target, if they were found rather than declared, and its name. */
  readonly classes?: readonly string[];
  /** The name of the target. */
  readonly target?: string;
}

/** A sentence about the data; a severe one means that the estimate or its intervals are unreliable. */
export type Note = string | SevereNote;

interface SevereNote {
  readonly text: string;
  readonly severity: 'severe';
}

export const severe = (text: string): SevereNote => ({ text, severity: 'severe' });

/** What there is to tell: a sentence, several, or none. */
export type Told<N extends Note = string> = N | null | readonly Told<N>[];

/**
 * Tells what the pilot of a run found. No sentence says what another analysis would give: only a run of it knows.
 */
export type Tell<N extends Note = Note> = (found: PilotedRun, options: ExplainOptions) => Told<N>;

/** All sentences, in their order. */
export const sentences = <N extends Note>(told: Told<N>): readonly N[] =>
  told === null ? [] : Array.isArray(told) ? told.flatMap(sentences<N>) : [told as N];

/** The sentences, and which of them are severe. */
export function listNotes(told: Told<Note>): Pick<Explanation, 'notes' | 'severeNotes'> {
  const notes = sentences(told);
  const severeNotes = notes.flatMap((note, place) => (typeof note === 'string' ? [] : [place]));
  return {
    notes: notes.map(note => (typeof note === 'string' ? note : note.text)),
    ...(severeNotes.length > 0 && { severeNotes }),
  };
}

export const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

export const quoted = (column: number, names: readonly string[]): string => JSON.stringify(nameOf(column, names));

/** The same for a coefficient, the last of which may be an intercept. */
export const quotedCoefficient = (
  column: number,
  names: readonly string[],
  { intercept, features }: { readonly intercept: boolean; readonly features: number },
): string => (intercept && column === features ? JSON.stringify(INTERCEPT) : quoted(column, names));

export const digits = (value: number): string => toDigits(value, 3);

export const percent = (share: number): string => `${digits(100 * share)} %`;

/** Up to ten items, and the number of the others. */
export function listing(items: readonly string[], joint: 'and' | 'or' = 'and'): string {
  const shown = items.slice(0, MOST_LISTED);
  const more = items.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${joint} ${more} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} ${joint} ${shown.at(-1)}`;
}

const MOST_LISTED = 10;

export const listingOf = (names: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  listing(
    names.map(name => JSON.stringify(name)),
    joint,
  );

/** A loss with its parameter, as a caller writes it. */
export const tunedLoss = (name: string, parameter: number): string =>
  `\`loss: ${FACTORIES[name] ?? name}(${digits(parameter)})\``;

/** Losses whose factory has another name. */
const FACTORIES: Readonly<Record<string, string>> = {
  'pseudo-huber': 'pseudoHuber',
  'geman-mcclure': 'gemanMcClure',
};

/** A penalty shifts intervals together with the coefficients. */
export const ABOUT_PENALISED =
  'the intervals are about the penalised coefficients, and need not cover the unpenalised ones';

/** One note on all columns; none where there are none. */
export const about = (found: readonly string[], one: string, many: string): Told =>
  found.length === 0 ? null : `${listingOf(found)} ${found.length === 1 ? one : many}`;
