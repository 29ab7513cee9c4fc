/**
 * The estimate of the pilot's rows, and the loss that it minimises.
 *
 * Every linear target starts from Huber's estimate over some of the rows (huberStart.ts). A loss that was asked for is
 * minimised from there. Otherwise it is tuned to the residuals (robustEstimate.ts). Targets of 0 and 1 get the logistic
 * loss. The estimate of a robust or generalized linear loss is worth as much as a step on that many rows.
 */
import { lossByName, type NamedLoss } from '../../method/loss/lossByName.ts';
import { glmEstimate } from './glmEstimate.ts';
import { hasPilotEstimate } from './hasPilotEstimate.ts';
import { huberStart } from './huberStart.ts';
import { isGlm } from './isGlm.ts';
import { irls } from './minimize.ts';
import { residualScales } from './residualScales.ts';
import { robustEstimate } from './robustEstimate.ts';
import type { Study } from './study.ts';
import type { StudyEstimate } from './studyEstimate.ts';

export function firstEstimate(
  study: Study,
  { loss, runRows }: { readonly loss: NamedLoss | 'auto'; readonly runRows: number },
): StudyEstimate {
  const { target } = study.batch;
  const isBinary = target.every(value => value === 0 || value === 1);
  const known = loss === 'auto' && isBinary ? lossByName('logistic') : loss;
  if (known !== 'auto' && isGlm(known)) {
    return { loss: known, ...glmEstimate(study, known.loss), residualScale: 0 };
  }
  const start = huberStart(study);
  if (known === 'auto') return robustEstimate(study, start, runRows);
  const residualScale = residualScales(study).robust(start);
  return hasPilotEstimate(known.loss)
    ? { loss: known, t: irls(study.batch, known.loss, start, study), isMinimum: true, residualScale }
    : { loss: known, t: start, isMinimum: false, residualScale };
}
