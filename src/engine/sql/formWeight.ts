import type { FormWeights } from '../roundEngine.ts';
import { type Arithmetic, sumOf } from './arithmetic.ts';

/** The weight of a row by its features. */
export function formWeight<N>(
  arithmetic: Arithmetic<N>,
  features: readonly N[],
  { centres, scales, forms, largest }: FormWeights,
): N {
  const { constant, minus, over, times, ifBelow, named } = arithmetic;
  const z = features.map((x, j) => named(over(minus(x, constant(centres[j]!)), constant(scales[j]!))));
  const squares = forms.map(form => {
    const terms = z.flatMap((value, j) => (form[j] === 0 ? [] : [times(constant(form[j]!), value)]));
    const shift = form.length > z.length && form[z.length] !== 0 ? [constant(form[z.length]!)] : [];
    const distance = named(sumOf(arithmetic, [...terms, ...shift]));
    return times(distance, distance);
  });
  const square = named(sumOf(arithmetic, squares));
  const most = constant(largest);
  return over(most, named(ifBelow(most, square, square, most)));
}
