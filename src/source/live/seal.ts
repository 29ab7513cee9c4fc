import { randomUUID } from 'node:crypto';
import { ArgumentError } from '../../errors.ts';
import { hmac } from '../../math/hmac.ts';
import type { OpenLiveOptions } from './liveSource.ts';

/**
 * What bytes are known again by in the positions of a private run.
 *
 * Guarantee. To those who do not have the key a seal is as good as a random text (HMAC-SHA-256, so against a bounded
 * adversary): a plain digest would be a release of rows without noise, because rows can be guessed. Each seal has a salt
 * of its own, so that two seals do not even say whether they are of the same bytes.
 * Edge cases. Whoever has the key can test guesses at rows: it stays where the ledger is, and leaves with nothing.
 */
export interface Sealing {
  add(bytes: Uint8Array | string): void;
  end(): string;
}

/** Begins a new seal, or makes one again with the salt of a known one, which it equals if the bytes do. */
export function sealing(key: Uint8Array, known: string | null = null): Sealing {
  const salt = known === null ? randomUUID() : known.slice(0, known.indexOf('.'));
  const message = hmac(key)().add(`${salt}.`);
  return {
    add: bytes => void message.add(bytes),
    end: () => `${salt}.${message.code().toString('hex')}`,
  };
}

/** The key of a private run; its positions cannot be kept without one. */
export function keyOf(name: string, { positionKey }: Pick<OpenLiveOptions, 'positionKey'>): Uint8Array {
  if (positionKey !== undefined) return positionKey;
  throw new ArgumentError(
    `${name} needs a \`positionKey\` to be read privately, because a plain digest in a position would say what rows hold; give 32 secret bytes, the same whenever the run goes on`,
    'ERR_NOT_PRIVATE',
    { argument: 'positionKey' },
  );
}
