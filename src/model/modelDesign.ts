import type { FoundBy } from '../sample/levelTally.ts';
import type { Model } from './model.ts';

/** The columns that a model needs of a table, as it was fitted: what to ask of a reader. */
export interface ModelDesign {
  readonly features: readonly string[];
  /** Whether 'embedding[3]' is a column or an element of one, a table tells. */
  readonly namedByResult: true;
  readonly categorical: Readonly<Record<string, readonly string[]>>;
  /** For columns whose rare levels are pooled. */
  readonly found: Readonly<Record<string, FoundBy>>;
}

/** 'town=Bath' belongs to the column town if town has declared levels. */
export function modelDesign({ features, categorical, target, reference = {}, pooled = {} }: Model): ModelDesign {
  const columnOf = (name: string): string => {
    const leveled = Object.keys(categorical).find(
      column => column !== target && categorical[column]!.some(level => name === `${column}=${level}`),
    );
    return leveled ?? name;
  };
  const found = Object.fromEntries(
    Object.keys(pooled).map(column => [column, { reference: reference[column]![0]!, pools: true }]),
  );
  return { features: [...new Set(features.map(columnOf))], namedByResult: true, categorical, found };
}
