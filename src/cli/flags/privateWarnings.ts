/** Warnings about a private request that is carried out anyway. They depend on the flags alone, never on the data. */
import { boundsOf, parseBounds } from './bounds.ts';
import type { FitFlags } from './fitFlags.ts';
import { levels, withParameter } from './parse.ts';
import { withRadius } from './privateRequest.ts';

export const warningsOf = (flags: FitFlags): readonly string[] => [
  ...aboutEpsilon(flags),
  ...aboutClasses(flags),
  ...aboutRadius(flags),
  ...aboutLevels(flags),
];

export function warn(flags: FitFlags): void {
  if (flags.quiet) return;
  for (const warning of warningsOf(flags)) process.stderr.write(`sluice: ${warning}\n`);
}

/** Above this epsilon the guarantee is nominal. */
const LARGEST_TELLING = 10;

const aboutEpsilon = ({ epsilon }: FitFlags): readonly string[] =>
  Number(epsilon) > LARGEST_TELLING
    ? [
        `--epsilon ${epsilon} guarantees almost nothing: any result may be e^${epsilon} times as likely with a person in the data as with another in their place; 1 or less protects well, 3 is a compromise`,
      ]
    : [];

/** Declared bounds of 0 and 1 suggest classes or shares; only the user who declared them knows which they are. */
function aboutClasses({ target, loss, bounds }: FitFlags): readonly string[] {
  if (loss !== 'auto' && withParameter(loss).name !== 'pseudo-huber') return [];
  const declared = bounds === undefined ? undefined : boundsOf(parseBounds(bounds), target);
  if (declared?.least !== 0 || declared.most !== 1) return [];
  return [
    `${target} is declared as 0..1: if it is a class, 0 or 1, the pseudo-huber loss does not estimate a mean, and its coefficients are not differences of shares; use --loss logistic. If it is a share, --loss squared estimates its mean`,
  ];
}

function aboutRadius(asked: FitFlags): readonly string[] {
  const { set, radius, loss } = withRadius(asked);
  if (radius === asked.radius) return [];
  const noise =
    loss === 'squared' || loss === 'poisson' ? `noise for the ${loss} loss grows with it, and ` : '';
  return [
    `--radius is not given, so scaled coefficients are constrained to norm ${radius} (--set ${set}): ${noise}larger coefficients end up on the boundary`,
  ];
}

/** The declared levels do not show whether one was left out; a single declared level implies that there are others. */
function aboutLevels({ intercept, categorical = [] }: FitFlags): readonly string[] {
  if (!intercept) return [];
  return Object.entries(levels(categorical))
    .filter(([, names]) => names.length > 1)
    .map(
      ([column, names]) =>
        `if every row has one of the ${names.length} levels declared for ${column}, they are collinear with the intercept, and only differences between levels are meaningful: leave one of them out, or give --no-intercept. If there are other levels, the coefficients are differences from those, and nothing needs to change`,
    );
}
