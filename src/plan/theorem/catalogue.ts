import { refuse } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { Prescription } from './prescription.ts';
import type { Spectrum } from './spectrum.ts';
import * as theorems from './theorems.ts';

/** A theorem of the paper that prescribes a run: what it is about, what it needs, and its function. */
export interface Theorem {
  /** As in the paper. */
  readonly label: string;
  readonly otherLabels: readonly string[];
  /** The name of its function. */
  readonly name: string;
  readonly isPrivate: boolean;
  /** What it is about: the squared loss, a generalized linear model, or any convex loss with bounded gradients. */
  readonly loss: 'squared' | 'glm' | 'convex';
  readonly needs: Meanings;
  readonly optional: Meanings;
  prescribe(given: Readonly<Record<string, Argument>>): Prescription;
}

/** A number, a choice, or a vector that a theorem is given. */
export type Argument = number | string | Vector;
export type Meanings = Readonly<Record<string, string>>;

/** Arguments that are vectors. */
export const VECTORS: readonly string[] = ['eigenvalues', 'truth'] satisfies readonly (keyof Spectrum)[];

const rows = { rows: 'n, the number of rows' };
const features = { features: 'p, the number of features' };
const radius = { radius: 'D, the radius of the ball that constrains the coefficients' };
const budget = { epsilon: 'eps of the guarantee, at most 0.9', delta: 'delta of the guarantee' };
const failure = { failureProbability: 'zeta, the probability that the claim fails' };
const lipschitz = { lipschitz: "L2, the largest norm of a row's gradient" };
const truthNorm = { truthNorm: '||theta*||, the length of the true coefficients' };
const concentration = {
  concentration: 'C1, the unknown constant of the concentration bounds; 1 unless given',
};
const smallest = {
  smallestEigenvalue: "lambda_min, the smallest eigenvalue of the features' second moments",
};

const heavyTailed = { ...rows, ...failure };
const mode = { mode: 'fresh, or full for all rows in every step, which the theorem does not cover' };
const curved = {
  ...heavyTailed,
  ...features,
  smoothness: "tau_u, the largest eigenvalue of the features' second moments",
  strongConvexity: 'tau_l, the smallest',
};
const spectrum = {
  eigenvalues: "S, the eigenvalues of the features' second moments, as 1|1|0.5",
  truth: "P'theta*, the true coefficients along their eigenvectors, as 1|0|2",
};
const glm = {
  ...rows,
  ...budget,
  meanBound: "K_Phi', the largest mean |Phi'|; 1 for logistic",
  varianceBound: "K_Phi'', the largest variance Phi''; 0.25 for logistic",
  varianceAtTruth: "Phi''(L_x ||theta*||), the least variance at the truth",
  targetBound: 'K_y, the largest |y|',
  featureNorm: 'L_x, the largest ||x||_2',
  ...truthNorm,
  ...smallest,
};
const smooth = { ...rows, ...failure, ...budget, ...lipschitz, smoothness: "tau_u, the risk's smoothness" };
const contamination = {
  contamination: 'eps, the share of arbitrary rows; not the eps of a private run',
};
const leastRadius = {
  radius: 'D, the radius of the ball; ||(Sigma + gamma I)^-1 Sigma theta*|| unless given',
};
const growingRadius = { radius: 'D, the radius of the ball; ||theta*|| - C3 n^(-2/5) unless given' };
const penalty = (usual: string): { readonly penalty: string } => ({
  penalty: `gamma of the ridge penalty; ${usual} unless given`,
});

/**
 * Every theorem by the paper's label, with the arguments of its function and what they mean, the paper's symbol first.
 * The types tie it to the functions: an argument that is missing here, or that a function does not take, does not
 * compile.
 *
 * In the order of the paper.
 */
export function catalogue(): readonly Theorem[] {
  known ??= allTheorems();
  return known;
}

let known: readonly Theorem[] | undefined;

const allTheorems = (): readonly Theorem[] => [
  theorem(theorems.upRidge, 'UPRidge', {
    loss: 'squared',
    needs: {
      ...rows,
      ...features,
      ...radius,
      ...budget,
      gradientRatio: 'S1, the least alpha_C ||gradient|| / beta_L over the ball',
    },
    optional: { smoothness: "beta_L, the largest eigenvalue of X'X/n; p unless given" },
  }),
  theorem(theorems.noplConvDpFw, 'NOPLconvDPFW', {
    loss: 'convex',
    needs: {
      ...rows,
      ...radius,
      ...budget,
      ...lipschitz,
      gaussianWidth: 'G; 2 D sqrt p for the squared loss, D E||N(0, I_p)|| for a GLM',
      curvature: "Gamma; 4 p D^2 for the squared loss, 4 K_Phi'' L_x^2 D^2 for a GLM",
    },
    optional: {},
  }),
  theorem(theorems.ermGlmUpGeneral, 'ERM_GLM_UP_General', {
    loss: 'glm',
    needs: { ...glm, ...radius, ...failure },
    optional: { ...concentration, slackExponent: 'q < 1/2 of n^-q; 2/5 unless given' },
  }),
  theorem(theorems.ermUpCInc, 'ERM_UP_C_Inc', {
    loss: 'glm',
    needs: { ...glm, ...failure },
    optional: { ...concentration, ...growingRadius },
  }),
  theorem(theorems.iterRateIncC, 'Iter_Rate_Inc_C', {
    loss: 'glm',
    needs: { ...glm, ...failure },
    optional: { ...concentration, ...growingRadius },
  }),
  theorem(theorems.ermGlmUp, 'ERM_GLM_UP', {
    loss: 'glm',
    needs: { ...glm, ...radius },
    optional: concentration,
  }),
  theorem(theorems.htNonAccFw, 'HT_NonAccFW', {
    loss: 'squared',
    needs: { ...heavyTailed, ...radius, ...truthNorm },
    optional: mode,
  }),
  theorem(theorems.accFwRob, 'ACCFWROB', {
    loss: 'squared',
    needs: {
      ...heavyTailed,
      ...truthNorm,
      ...smallest,
      largestEigenvalue: 'lambda_max, the largest eigenvalue of the same',
    },
    optional: { ...mode, gap: 'C1 of D = ||theta*|| - C1 n^(-1/5); 1 unless given' },
  }),
  theorem(theorems.nonAccLambdaZero, 'NonACC_lambda=0', {
    loss: 'squared',
    needs: { ...heavyTailed, ...spectrum },
    optional: { ...mode, ...leastRadius, ...penalty('n^(-1/9)') },
  }),
  theorem(theorems.accFwLambdaZero, 'ACCFW_lambda=0', {
    loss: 'squared',
    needs: { ...heavyTailed, ...spectrum },
    optional: {
      ...mode,
      radius: 'K, the radius of the ball; ||(Sigma + c_K I)^-1 Sigma theta*|| unless given',
      ...penalty('c_K/2'),
      innerFactor: 'C1 > 1 of the least K; 2 unless given',
    },
  }),
  theorem(theorems.htRidgeWellConditioned, 'HT_Ridge_min>0', {
    loss: 'squared',
    needs: { ...heavyTailed, ...spectrum },
    optional: { ...mode, ...leastRadius, ...penalty('n^(-1/2)'), ...concentration },
  }),
  theorem(theorems.htRidgeSingular, 'HT_Ridge_min=0', {
    loss: 'squared',
    needs: { ...heavyTailed, ...spectrum },
    optional: { ...mode, ...leastRadius, ...penalty('n^(-1/5)'), ...concentration },
  }),
  theorem(theorems.privHtGdSmooth, 'Priv_HT_GD_Smooth', { loss: 'convex', needs: smooth, optional: {} }),
  theorem(theorems.privHtAgdSmooth, 'Priv_HT_AGD_Smooth', { loss: 'convex', needs: smooth, optional: {} }),
  theorem(theorems.glmHtGd, 'GLMhtGD', {
    loss: 'squared',
    needs: curved,
    optional: { ...mode, ...concentration },
  }),
  theorem(theorems.htAgd, 'htAGD', {
    otherLabels: ['AGD'],
    loss: 'squared',
    needs: curved,
    optional: { ...mode, ...concentration },
  }),
  theorem(theorems.huEpsPgd, 'Hu_eps_PGD', {
    loss: 'squared',
    needs: { ...curved, ...contamination },
    optional: concentration,
  }),
  theorem(theorems.huEpsNester, 'Hu_eps_Nester', {
    loss: 'squared',
    needs: { ...curved, ...contamination },
    optional: concentration,
  }),
  theorem(theorems.utilPrivSgd, 'Util_Priv_SGD', {
    loss: 'convex',
    needs: { ...rows, ...features, ...radius, ...budget, ...lipschitz },
    optional: {},
  }),
];

/** By the paper's label or the function's name, in any case. */
export function theoremNamed(name: string): Theorem {
  const wanted = name.toLowerCase();
  const all = catalogue();
  const found = all.find(({ label, otherLabels, name: own }) =>
    [label, own, ...otherLabels].some(known => known.toLowerCase() === wanted),
  );
  const labels = all.flatMap(({ label, otherLabels }) => [label, ...otherLabels]);
  return found ?? refuse('theorem', `be one of ${labels.join(', ')}`, name);
}

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type RequiredKey<T> = Exclude<keyof T, OptionalKey<T>>;
/** A text for each of these names and no other: a spread may hold more than its type shows. */
type Exactly<Names extends PropertyKey, Given> = Readonly<Record<Names, string>> &
  Given & { readonly [K in Exclude<keyof Given, Names>]: never };

function theorem<Arguments, Needs extends Meanings, Optional extends Meanings>(
  prescribe: (given: Arguments) => Prescription,
  label: string,
  {
    otherLabels = [],
    loss,
    needs,
    optional,
  }: {
    readonly otherLabels?: readonly string[];
    readonly loss: Theorem['loss'];
    readonly needs: Exactly<RequiredKey<Arguments>, Needs>;
    readonly optional: Exactly<OptionalKey<Arguments>, Optional>;
  },
): Theorem {
  return Object.freeze({
    label,
    otherLabels,
    name: prescribe.name,
    isPrivate: 'epsilon' in needs,
    loss,
    needs,
    optional,
    // The function checks every argument, also for callers without types.
    prescribe: prescribe as unknown as Theorem['prescribe'],
  });
}
