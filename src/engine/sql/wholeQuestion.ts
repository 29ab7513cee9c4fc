import type { Vector } from '../../math/vector.ts';
import type { Part, WholeQuestion } from '../roundEngine.ts';
import type { Arithmetic } from './arithmetic.ts';
import { bendOf } from './bend.ts';
import { slopeOf } from './slopes.ts';
import { curvatureValues, gradientValues, momentValues, type Row, scaledRow, whitenedRow } from './wholeValues.ts';

/** Which rows a question is about, at which point, and how long a row's contribution may be. */
export function wholeRow(question: WholeQuestion): {
  readonly part: Part;
  readonly blocks: number;
  readonly at: Vector;
  readonly squaredNorm: number;
} {
  if (question.kind === 'gradients') {
    const { part, blocks, at, quantization } = question;
    return { part, blocks, at, squaredNorm: quantization.squaredNorm };
  }
  const at = question.kind === 'curvature' ? question.request.at : new Float64Array(0);
  return { part: null, blocks: 1, at, squaredNorm: question.request.squaredNorm };
}

/** What a row contributes to the answer, in steps of the grid, before it is made whole. */
export function valuesOf<N>(
  arithmetic: Arithmetic<N>,
  row: Row<N>,
  theta: readonly N[],
  question: WholeQuestion,
): readonly N[] {
  const { scaling, whitened } = question.change;
  const scaled = scaledRow(arithmetic, row, scaling);
  const changed = whitened === null ? scaled : whitenedRow(arithmetic, scaled, whitened.whitening, whitened.rowLength);
  switch (question.kind) {
    case 'gradients': {
      const { loss, quantization } = question;
      return gradientValues(arithmetic, changed, { slope: slopeOf(loss), theta, ...quantization });
    }
    case 'moments':
      return momentValues(arithmetic, changed, question.request);
    case 'curvature': {
      const { loss, bend, lipschitz, along, norm, grid } = question.request;
      const slope = slopeOf(loss);
      return curvatureValues(arithmetic, changed, {
        slope,
        bend: bendOf(loss),
        mostBend: bend.most,
        lipschitz,
        theta,
        along,
        norm,
        grid,
      });
    }
  }
}
