import type { NamedLoss } from '../../method/loss/lossByName.ts';

/** Whether the loss is that of a generalized linear model: of classes or counts, and not of a linear target. */
export const isGlm = ({ loss }: NamedLoss): boolean => loss.targets.least > -Infinity;
