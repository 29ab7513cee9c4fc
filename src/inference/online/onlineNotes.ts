import type { InformationState } from '../../method/rule/informationState.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import { counted, listed } from '../../words.ts';
import { type Note, severe, type Told } from '../diagnostics/notes.ts';

/** Chunks after which a coefficient that none of them said anything about is told of. */
const TOLD_FROM = 3;
/**
 * Of v = sum psi^2/sum psi' for classes, which is 1 where they are drawn by the model, and at most .39 where one
 * threshold of the score separates them: (ln 2 - 1/2)/(1/2), with scores spread evenly.
 */
const SEPARATED_BELOW = 0.5;

/** Whether classes have been separated by the features so far, or all of one class, so that there is no finite estimate. */
export const isSeparated = ({ chunks, slopes, bends }: InformationState, loss: string): boolean =>
  loss === 'logistic' && chunks >= TOLD_FROM && slopes < SEPARATED_BELOW * bends;

/** What a reader should know about an online estimate that its numbers do not say. */
export function onlineNotes(
  state: InformationState,
  names: readonly string[],
  { loss, target }: { readonly loss: string; readonly target: string },
): Told<Note> {
  const { scale, freedom, chunks, lacksScale } = state;
  const constant = names.filter((_, j) => scale[j] === 0);
  const untold = [...names, INTERCEPT].filter(
    (_, j) => chunks >= TOLD_FROM && j < freedom.length && freedom[j]! < 2 && scale[j] !== 0,
  );
  const [is, has] = constant.length === 1 ? ['is', 'has'] : ['are', 'have'];
  return [
    constant.length === 0
      ? null
      : `${listed(constant)} ${is} constant so far, and ${has} no coefficient until ${constant.length === 1 ? 'it varies' : 'they vary'}`,
    untold.length === 0
      ? null
      : `rows so far do not tell ${listed(untold)} apart, or from other columns: only predictions by all of them are known, and ${untold.length === 1 ? 'this coefficient has' : 'these coefficients have'} no interval; leave a column out`,
    isSeparated(state, loss)
      ? severe(
          `the classes of ${JSON.stringify(target)} have been separated by the features so far, or are all of one class: there is no finite estimate, coefficients give a direction only, and have no intervals; add \`penalty\``,
        )
      : null,
    lacksScale
      ? `the fit leaves nothing of most targets in ${counted(state.step, 'chunk')}, so that nobody knows how much rows vary: counting begins anew with rows that tell`
      : null,
  ];
}
