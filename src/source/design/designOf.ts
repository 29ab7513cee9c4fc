import { dataError } from '../../errors.ts';
import { INTERCEPT } from '../../sample/intercept.ts';
import { levelsOption } from '../../sample/levelsOption.ts';
import type { Schema } from '../table/table.ts';
import { columnsNamed } from './columnsNamed.ts';
import type { Design, DesignOptions } from './design.ts';
import { featureColumns } from './featureColumns.ts';
import { fieldNamed } from './fieldNamed.ts';
import { requireRoles } from './requireRoles.ts';
import { targetColumn } from './targetColumn.ts';
import { usualFeatures } from './usualFeatures.ts';
import { weightsColumn } from './weightsColumn.ts';

export function designOf(schema: Schema, options: DesignOptions): Design {
  const { target, features, namedByResult = false, weights } = options;
  const { chosen, passedOver } =
    features === undefined
      ? usualFeatures(schema, options)
      : { chosen: namedByResult ? columnsNamed(schema, features) : features, passedOver: [] };
  requireRoles(schema, options, chosen);
  // The target first: if numbers could not be read, it is usually text like all other columns.
  const targeted = target === undefined ? {} : { target: targetColumn(schema, options, target) };
  const columns = chosen.flatMap(name => featureColumns(schema, options, name));
  const times = chosen.filter(name => fieldNamed(schema, name).field.kind === 'time');
  if (options.intercept && columns.some(({ name }) => name === INTERCEPT)) {
    throw dataError(
      { table: schema.name, column: INTERCEPT },
      "has the intercept's name, so results could not distinguish the two",
      'rename it, leave it out of `features`, or use `intercept: false`',
    );
  }
  if (columns.length === 0) {
    throw dataError(
      { table: schema.name },
      'has no numeric column besides the target',
      passedOver.some(({ kind }) => kind === 'text')
        ? `declare the levels of a text column to use it as a feature: ${levelsOption(passedOver.find(({ kind }) => kind === 'text')!.name)}`
        : passedOver.length > 0
          ? `name ${passedOver[0]!.name} in \`features\` to use it as one`
          : 'use data with at least one other numeric column',
    );
  }
  return Object.freeze({
    features: Object.freeze(columns),
    ...targeted,
    ...(weights === undefined ? {} : { weights: weightsColumn(schema, options, weights) }),
    ...(times.length === 0 ? {} : { times: Object.freeze(times) }),
    ...(passedOver.length === 0 ? {} : { passedOver: Object.freeze(passedOver) }),
  });
}
