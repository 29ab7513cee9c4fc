import { ArgumentError } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { levels, names, optional } from './parse.ts';

/** Refuses columns with conflicting roles. It uses the flags alone, because `plan` has no data to look at. */
export function requireNames(flags: FitFlags): void {
  const { target, weights, unit } = flags;
  const features = optional('--features', flags.features, names) ?? [];
  const refuse = (flag: string, name: string, problem: string): never => {
    throw new ArgumentError(`${flag} names ${JSON.stringify(name)}, which ${problem}`);
  };
  const repeated = features.find((name, k) => features.indexOf(name) < k);
  if (repeated !== undefined) refuse('--features', repeated, 'is listed twice; leave one out');
  if (features.includes(target))
    refuse('--features', target, 'is the target and cannot be a feature too; leave it out');
  if (weights !== undefined && (weights === target || features.includes(weights))) {
    const other = weights === target ? 'the target' : 'a feature';
    refuse('--weights', weights, `is ${other}, and cannot hold the weights too; name another column`);
  }
  if (unit !== undefined && (unit === target || features.includes(unit))) {
    const other = unit === target ? 'the target' : 'a feature';
    refuse('--unit', unit, `is ${other}, and cannot identify units too; name another column`);
  }
  if (features.length === 0) return;
  const idle = Object.keys(levels(flags.categorical ?? [])).find(
    name => name !== target && name !== weights && !features.includes(name),
  );
  if (idle !== undefined)
    refuse(
      '--categorical',
      idle,
      `is not a feature; add it to --features, or leave --categorical ${idle}=… out`,
    );
}

/** Every level is a feature, so --width alone does not say whether it includes them. */
export function refuseLevelsBesideWidth({ width, features, categorical = [], target }: FitFlags): void {
  if (width === undefined || features !== undefined) return;
  const [column] = Object.keys(levels(categorical)).filter(name => name !== target);
  if (column === undefined) return;
  throw new ArgumentError(
    `--width ${width} does not say whether the levels of ${column} are among the features; name all with --features, or count each level in --width and leave --categorical out`,
  );
}
