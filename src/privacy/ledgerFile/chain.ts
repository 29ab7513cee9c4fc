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
import { createHash } from 'node:crypto';

export interface Link {
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
