import type { Model } from '../../model/model.ts';
import { countFigure } from './numerals.ts';
import { type Content, factList, html, type Markup } from './page.ts';

/** Where the rows went. */
export const rowAccount = ({
  data,
  rows,
  ledger,
  plan,
}: Pick<Model, 'data' | 'rows' | 'ledger' | 'plan'>): Markup => {
  const pilot = typeof plan.pilotRows === 'number' ? plan.pilotRows : 0;
  const held = typeof plan.heldOut === 'number' ? plan.heldOut : 0;
  return factList([
    ...(data === undefined ? [] : [sourceOf(data)]),
    ['Read', countFigure(rows.read)],
    ['Used by steps', countFigure(rows.used)],
    ...(pilot > 0 ? [['Used by the pilot', countFigure(pilot)] as const] : []),
    ...(held > 0 ? [['Held out', countFigure(held)] as const] : []),
    ['Left over', countFigure(rows.leftOver)],
    [
      'Invalid',
      rows.invalid === null
        ? ledger.unit === undefined
          ? 'not counted'
          : 'not shown: their number is private'
        : countFigure(rows.invalid),
    ],
    ...(rows.invalid ? [['Usable', countFigure(rows.read - rows.invalid)] as const] : []),
  ]);
};

const sourceOf = (data: NonNullable<Model['data']>): readonly [Content, Content] =>
  'sql' in data
    ? ['From the query', html`<code>${data.sql}</code>`]
    : ['From', data.files.map(file => (file === '-' ? 'standard input' : file)).join(', ')];
