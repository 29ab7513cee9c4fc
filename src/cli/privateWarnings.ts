/** What should be told about a private request that is carried out all the same. No data have a say in it. */
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

/** Beyond it a promise is one by name only. */
const LARGEST_TELLING = 10;

const aboutEpsilon = ({ epsilon }: FitFlags): readonly string[] =>
  Number(epsilon) > LARGEST_TELLING
    ? [
        `at --epsilon ${epsilon} the promise says next to nothing: what is published may be e^${epsilon} times as likely with somebody in the data as with another in their place; 1 or less protects well, 3 is a compromise`,
      ]
    : [];

/**
 * Declared bounds of 0 and 1 look like classes, or like shares; whether the targets are any is theirs to know who
 * declared them.
 */
function aboutClasses({ target, loss, bounds }: FitFlags): readonly string[] {
  if (loss !== 'auto' && withParameter(loss).name !== 'pseudo-huber') return [];
  const declared = bounds === undefined ? undefined : boundsOf(parseBounds(bounds), target);
  if (declared?.least !== 0 || declared.most !== 1) return [];
  return [
    `${target} is declared as 0..1: if it is a class, 0 or 1, the pseudo-huber loss estimates no mean, and its coefficients are no differences of shares; use --loss logistic. If it is a share, --loss squared estimates its mean`,
  ];
}

function aboutRadius(asked: FitFlags): readonly string[] {
  const { set, radius, loss } = withRadius(asked);
  if (radius === asked.radius) return [];
  const noise =
    loss === 'squared' || loss === 'poisson' ? `noise for the ${loss} loss grows with it, and ` : '';
  return [
    `--radius is not given, so scaled coefficients are held to a length of ${radius} (--set ${set}): ${noise}coefficients that are longer end at its edge`,
  ];
}

/**
 * Whether a level was left out cannot be known of what is declared; where one alone is declared, others must be meant.
 */
function aboutLevels({ intercept, categorical = [] }: FitFlags): readonly string[] {
  if (!intercept) return [];
  return Object.entries(levels(categorical))
    .filter(([, names]) => names.length > 1)
    .map(
      ([column, names]) =>
        `if every row has one of the ${names.length} levels declared of ${column}, they and the intercept say the same twice, and only differences between levels mean something: then leave one of them out, or give --no-intercept. If there are others, coefficients are differences from those, and all is well`,
    );
}
