import { dataError } from '../../errors.ts';
import { type LevelTally, levelsOption } from '../../sample/levelTally.ts';
import type { DesignOptions } from './design.ts';

/**
 * Rejects a column of numbers with declared levels that no row has: the numbers would be lost, with nothing in their
 * place.
 */
export function requireLevels(tables: readonly string[], tallies: readonly LevelTally[]): void {
  for (const { column, declared, others } of tallies) {
    const isEmpty = declared.every(({ rows }) => rows === 0);
    if (!isEmpty || others.length === 0 || !others.every(({ level }) => isNumber(level))) continue;
    const [has, lacks] = [others.slice(0, 3), declared].map(levels =>
      levels.map(({ level }) => JSON.stringify(level)).join(', '),
    );
    throw dataError(
      { table: tables.join(', '), column },
      `has numbers such as ${has}, and no row has any of the declared levels ${lacks}`,
      `leave ${levelsOption(column, '…')} out to use the numbers, or declare levels that occur`,
    );
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** The declared levels of a text column, if any. */
export const declaredLevels = (
  { categorical = {} }: Pick<DesignOptions, 'categorical'>,
  name: string,
): readonly string[] | undefined => (Object.hasOwn(categorical, name) ? categorical[name] : undefined);
