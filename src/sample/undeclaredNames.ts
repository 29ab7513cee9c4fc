import { listed } from '../words.ts';
import type { LevelTally } from './levelTally.ts';

/** The names of a text column's undeclared levels, for messages. */
export function undeclaredNames({ others, unnamed }: Pick<LevelTally, 'others' | 'unnamed'>): string {
  const names = listed(others.map(({ level }) => shortened(level)));
  if (unnamed === 0) return names;
  return names === '' ? 'long texts' : `${names}, and more`;
}

const shortened = (level: string): string =>
  level.length > MOST_LETTERS ? `${level.slice(0, MOST_LETTERS)}…` : level;

const MOST_LETTERS = 40;
