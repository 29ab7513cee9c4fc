import { createHash } from 'node:crypto';
import { ArgumentError, requirePositive, requireProbability } from '../../errors.ts';
import { gaussianEvent, nonPrivateEvent, type PrivacyEvent } from '../event.ts';
import type { Budget } from '../gaussianNoise.ts';
import { type Protection, requireProtection } from './protection.ts';

/**
 * What a run guarantees: at most `mu` in all, which is (epsilon, delta)-DP; or why it guarantees nothing, such as
 * 'seeded'.
 */
export type Guarantee = (Budget & { readonly mu: number }) | { readonly notPrivate: string };

/** The line with which a run begins. */
export interface RunRecord {
  readonly kind: 'run';
  readonly run: string;
  readonly at: string;
  readonly dataset: string;
  readonly target: string;
  readonly guarantee: Guarantee;
  /** Null in lines written before runs recorded it. */
  readonly protects: Protection | null;
  /** The budget that this run was held to; the first one of a data set becomes that of the data set. */
  readonly budget: Budget | null;
  readonly createdWith: string;
  /** For a run on a stream, whose one charge covers all its releases. */
  readonly stream?: StreamRecord;
}

/** Which rows of a stream a run reads, each for one release; it holds nothing that rows decide. */
export interface StreamRecord {
  readonly name: string;
  /** The position of the first row, as the source writes it. */
  readonly from: string;
  /** The most rows of a unit in one release, where units are protected. */
  readonly perChunk?: number;
}

export type LedgerRecord =
  | {
      readonly kind: 'ledger';
      readonly format: 'sluice-ledger';
      readonly version: number;
      readonly at: string;
    }
  | RunRecord
  | { readonly kind: 'charge'; readonly run: string; readonly event: PrivacyEvent }
  | { readonly kind: 'finished'; readonly run: string; readonly at: string }
  | { readonly kind: 'mended'; readonly at: string; readonly cut: string };

/**
 * The lines of a ledger file.
 *
 *   ledger    the first line: identifies the file
 *   run       a run begins: on which data, for which target, with which guarantee, for which unit
 *   charge    a run is about to draw the noise of one release, or a stream of all its releases
 *   finished  a run has ended; without this line it was stopped, and costs what it charged
 *   mended    a writer was killed within a line; `cut` holds the bytes of that line, in base64
 */
export const VERSION = 1;

/** How every ledger file begins. */
export const OPENING = '{"kind":"ledger","format":"sluice-ledger","version":';

export const header = (at: string): LedgerRecord => ({
  kind: 'ledger',
  format: 'sluice-ledger',
  version: VERSION,
  at,
});

export const isPromise = (guarantee: Guarantee): guarantee is Budget & { readonly mu: number } =>
  !('notPrivate' in guarantee);

export function requireBudget(name: string, { epsilon, delta }: Budget): Budget {
  requirePositive(`${name}.epsilon`, epsilon);
  requireProbability(`${name}.delta`, delta);
  return { epsilon, delta };
}

export function requireGuarantee(guarantee: Guarantee): Guarantee {
  if (!isPromise(guarantee)) return { notPrivate: String(guarantee.notPrivate) };
  return {
    mu: requirePositive('guarantee.mu', guarantee.mu),
    ...requireBudget('guarantee', guarantee),
  };
}

/**
 * A record as read, with its numbers checked and its events constructed anew, so that no line can state a cost that its
 * sensitivity and noise do not have.
 */
export function parseRecord(body: unknown): LedgerRecord {
  const record = body as LedgerRecord;
  switch (record.kind) {
    case 'ledger':
    case 'finished':
    case 'mended':
      return record;
    case 'run':
      return {
        ...record,
        guarantee: requireGuarantee(record.guarantee),
        protects: (record.protects ?? null) === null ? null : requireProtection(record.protects!),
        budget: record.budget === null ? null : requireBudget('budget', record.budget),
      };
    case 'charge':
      return { ...record, event: parseEvent(record.event) };
    default:
      throw new ArgumentError(
        `it is of kind ${JSON.stringify((body as { kind: unknown }).kind)}, which this version does not support; use a newer sluice`,
        'ERR_FILE',
        { kind: String((body as { kind: unknown }).kind) },
      );
  }
}

function parseEvent(event: PrivacyEvent): PrivacyEvent {
  if (event.kind === 'gaussian') return gaussianEvent(event);
  if (event.kind === 'nonPrivate') return nonPrivateEvent(event);
  throw new ArgumentError(
    `its event is ${JSON.stringify(event)}, which this version does not support; use a newer sluice`,
    'ERR_FILE',
    { event: JSON.stringify(event) },
  );
}

/**
 * The lines of a ledger file: JSON objects whose last member is a hash, so that every line authenticates all lines
 * before it.
 *
 *   hash_i = SHA-256(hash_(i-1) + body_i);   hash_0 is empty;   line_i is body_i with ,"hash":"hash_i" before its closing brace
 *
 * The hash is computed over the exact bytes, so a line has only one valid spelling.
 * It detects a line that was changed, removed, moved or inserted, anywhere but at the end.
 * It does not detect that the last lines were removed: keep the newest hash (the head) elsewhere and look for it later.
 * Nor does it detect a forger who rewrites everything after the forgery: there is no key that only honest runs have.
 */
interface Link {
  readonly body: unknown;
  readonly hash: string;
}

/** The hash before the first line. */
export const NO_HASH = '';

/** A line that follows the line with hash `previous`, including its line break. */
export function chained(previous: string, body: object): { readonly line: Buffer; readonly hash: string } {
  const text = Buffer.from(JSON.stringify(body));
  const hash = hashOf(previous, text);
  return { line: Buffer.concat([text.subarray(0, -1), Buffer.from(`${seal(hash)}\n`)]), hash };
}

/** The contents of a line (without its break), or null if it does not follow the line with hash `previous`. */
export function unchained(previous: string, line: Buffer): Link | null {
  const text = Buffer.concat([line.subarray(0, -SEAL_LENGTH), Buffer.from('}')]);
  const hash = hashOf(previous, text);
  if (line.subarray(-SEAL_LENGTH).toString('latin1') !== seal(hash)) return null;
  return { body: JSON.parse(text.toString()), hash };
}

const seal = (hash: string): string => `,"hash":"${hash}"}`;

/** A hash has 64 digits. */
const SEAL_LENGTH = ',"hash":""}'.length + 64;

const hashOf = (previous: string, text: Buffer): string =>
  createHash('sha256').update(previous).update(text).digest('hex');
