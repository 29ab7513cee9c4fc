import type { Model } from '../../model/model.ts';
import { countFigure, figure } from './numerals.ts';
import { factList, type Markup } from './page.ts';
import { spelled } from './planFacts.ts';

const TERMS: Readonly<Record<string, string>> = { auc: 'AUC', r2: 'R²', brier: 'Brier score' };

export const holdoutFacts = (holdout: NonNullable<Model['holdout']>): Markup =>
  factList(
    Object.entries(holdout).map(([key, value]) => [
      TERMS[key] ?? spelled(key),
      key === 'rows' ? countFigure(value) : figure(value),
    ]),
  );
