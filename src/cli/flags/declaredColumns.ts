import { ArgumentError, type DesignColumn } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { levels, optional, wholeNumber } from './parse.ts';
import { declaredFeatures } from './privateRequest.ts';
import { refuseLevelsBesideWidth } from './requireNames.ts';

/**
 * The features of a private run that is planned without data: by name where they are named or bounded; otherwise as
 * many as --width says, for --norm-bound.
 */
export function declaredColumns(flags: FitFlags): readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[] {
  const width = optional('--width', flags.width, wholeNumber);
  if (width !== undefined && flags.features === undefined && flags.normBound !== undefined) {
    refuseLevelsBesideWidth(flags);
    return Array.from({ length: width }, (_, field) => ({ name: `x${field + 1}`, field }));
  }
  if (flags.normBound !== undefined && flags.features === undefined && flags.bounds === undefined)
    throw new ArgumentError('plan reads no data; give --width P, the number of features, or --features');
  const declared = new Map(Object.entries(levels(flags.categorical ?? [])));
  const found = declaredFeatures(flags).flatMap(
    (name, field) =>
      declared.get(name)?.map((text, level) => ({ name: `${name}=${text}`, level, field })) ?? [
        { name, field },
      ],
  );
  if (width === undefined || width === found.length) return found;
  throw new ArgumentError(
    `--width must be ${found.length}, the number of features that are named or bounded, got ${width}; leave one of them out`,
  );
}
