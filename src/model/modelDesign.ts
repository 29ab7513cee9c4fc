import type { Model } from './model.ts';

/** The columns that a model needs of a table, as it was fitted: what to ask of a reader. */
export interface ModelDesign {
  readonly features: readonly string[];
  /** Whether 'embedding[3]' is a column or an element of one, a table tells. */
  readonly namedByResult: true;
  readonly categorical: Readonly<Record<string, readonly string[]>>;
}

/** 'town=Bath' belongs to the column town if town has declared levels. */
export function modelDesign({ features, categorical, target }: Model): ModelDesign {
  const columnOf = (name: string): string => {
    const leveled = Object.keys(categorical).find(
      column => column !== target && categorical[column]!.some(level => name === `${column}=${level}`),
    );
    return leveled ?? name;
  };
  return { features: [...new Set(features.map(columnOf))], namedByResult: true, categorical };
}
