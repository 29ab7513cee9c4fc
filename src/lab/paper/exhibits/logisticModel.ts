/**
 * The arguments of theorems about GLMs for logistic rows with ||x|| <= 1: K_Phi', K_Phi'', Phi''(L_x ||theta*||), K_y,
 * L_x, lambda_min(Sigma) and ||theta*||.
 */
export function logisticModel({
  truthNorm,
  smallestEigenvalue,
}: {
  readonly truthNorm: number;
  readonly smallestEigenvalue: number;
}) {
  const mean = 1 / (1 + Math.exp(-truthNorm));
  return {
    meanBound: 1,
    varianceBound: 1 / 4,
    varianceAtTruth: mean * (1 - mean),
    targetBound: 1,
    featureNorm: 1,
    smallestEigenvalue,
    truthNorm,
  };
}
