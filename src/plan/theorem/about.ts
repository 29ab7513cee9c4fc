/** A theorem in the words of a list: on which data, by which algorithm, T, what it claims and under which conditions. */
export interface About {
  readonly data: string;
  /** The algorithm's label in the paper. */
  readonly algorithm: string;
  readonly steps: string;
  readonly claim: string;
  readonly conditions: readonly string[];
}

const model = "GLM with |y| <= K_y, ||x||_2 <= L_x, Phi' and Phi'' bounded, Phi'' even and non-increasing in |s|";
const glm = `${model}; theta* outside C`;
const linear = 'linear model under heavy tails (x and noise with few moments)';
const ridge = `ridge in the ${linear}`;
const contaminated = 'linear model with a share eps of arbitrary rows, the moments of x as in eq. add_x';
const smooth = 'any convex, L2-Lipschitz loss with a tau_u-smooth risk';

/** By the paper's label; conditions as the functions state them, hypotheses that no number decides first. */
export const ABOUT: Readonly<Record<string, About>> = {
  UPRidge: {
    data: 'squared loss, |y| <= 1, ||x||_inf <= 1',
    algorithm: 'alg:PrivFWERM',
    steps: 'log_{1/c} n',
    claim: 'excess empirical risk (sqrt p + p D) D sqrt p/(n eps)',
    conditions: ['inf over B2(D) of alpha_C ||gradient||/beta_L >= S1 (of the rows: not read here)', 'eps <= 0.9'],
  },
  NOPLconvDPFW: {
    data: 'any convex, L2-Lipschitz loss; any bounded convex C',
    algorithm: 'alg:PrivNon-accERM',
    steps: '(n eps Gamma/(L2 G))^(2/3)',
    claim: 'excess empirical risk (Gamma^(1/2) L2 G/(n eps))^(2/3)',
    conditions: ['eps <= 0.9'],
  },
  ERM_GLM_UP_General: {
    data: glm,
    algorithm: 'alg:PrivFWERM',
    steps: 'log_{1/c} n',
    claim: 'excess empirical risk 1/(n eps)',
    conditions: ['eps <= 0.9', 'D > 0', 'r > 0', '||theta*|| > D'],
  },
  ERM_UP_C_Inc: {
    data: `${glm}, D up to ||theta*||`,
    algorithm: 'alg:PrivFWERM',
    steps: 'log_{1/c} n ~ n^(2/5) log n',
    claim: 'excess empirical risk n^(-4/5)/eps',
    conditions: [
      'eps <= 0.9',
      'D > 0',
      'r > 0',
      '||theta*|| > D',
      'D <= ||theta*|| - C3 n^(-2/5)',
      'zeta < 1/3',
      'n > (4 C1)^5 log^5(2/zeta)',
    ],
  },
  Iter_Rate_Inc_C: {
    data: `${glm}, D up to ||theta*||`,
    algorithm: 'alg:PrivFWERM',
    steps: 'log_{1/c} n ~ n^(2/5) log n',
    claim: '||theta_T - theta*|| <~ n^(-1/2) + n^(-2/5) eps^(-1/2)',
    conditions: [
      'eps <= 0.9',
      'D > 0',
      'r > 0',
      '||theta*|| > D',
      'D <= ||theta*|| - C3 n^(-2/5)',
      'zeta < 1/4',
      'n > (4 C1)^5 log^5(2/zeta)',
      'n > C4 log(2p/zeta)',
    ],
  },
  Iter_Rate_Inc_C_Non: {
    data: `${model}; C = B2(||theta*||)`,
    algorithm: 'alg:PrivNon-accERM',
    steps: '(n eps)^(2/3)',
    claim: '||theta_T - theta*|| <~ n^(-1/2) + (n eps)^(-1/3)',
    conditions: ['eps <= 0.9', 'zeta < 1/3', 'n > C4 log(2p/zeta)'],
  },
  ERM_GLM_UP: {
    data: `${glm}, ||theta*|| - D ~ 1`,
    algorithm: 'alg:PrivFWERM',
    steps: 'log_{1/c} n ~ log n',
    claim: 'excess empirical risk 1/(n eps)',
    conditions: ['eps <= 0.9', 'D > 0', 'r > 0', '||theta*|| > D', 'n > ((sqrt(C1 log 2n) + 1)/C2)^4'],
  },
  HT_NonAccFW: {
    data: `${linear}, lambda_min > 0, theta* in C, any convex and compact C`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, Frank-Wolfe',
    steps: 'n^(1/3)',
    claim: '||theta_T - theta*|| <~ n^(-1/6)',
    conditions: ['n~ >= 2b', '||theta*|| <= D'],
  },
  ACCFWROB: {
    data: `${linear}, lambda_min > 0, D up to ||theta*||`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, accelerated Frank-Wolfe',
    steps: 'log_{1/c} n^(2/5) ~ n^(1/5) log n',
    claim: '||theta_T - theta*|| <~ n^(-1/5)',
    conditions: ['n~ >= 2b', 'D > 0', 'D <= ||theta*|| - C1 n^(-1/5)', 'u <= C1 lambda_min n^(-1/5)'],
  },
  'NonACC_lambda=0': {
    data: `${ridge}, lambda_min = 0`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, Frank-Wolfe',
    steps: 'n^(1/3)',
    claim: '||theta_T - theta*|| <~ n^(-1/9) + c_K',
    conditions: ['n~ >= 2b', 'D >= ||(Sigma + gamma I)^-1 Sigma theta*||'],
  },
  'ACCFW_lambda=0': {
    data: `${ridge}, lambda_min = 0`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, accelerated Frank-Wolfe',
    steps: 'log_{1/c} n ~ log n/c_K^2',
    claim: '||theta_T - theta*|| <~ n^(-1/4) c_K^(-1/4) + c_K + c_K^(1/2)',
    conditions: [
      'n~ >= 2b',
      'c_K/4 <= gamma <= c_K/2',
      '||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||',
    ],
  },
  ridgeGD: {
    data: ridge,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, projected gradient descent',
    steps: 'log_{(tau_u+tau_l)/tau_u} sqrt n',
    claim: '||theta_T - theta_*|| <~ n^(-1/2), theta_* the ridge solution',
    conditions: ['n~ >= 2b', 'n~ > 4 C1^2 log(1/zeta~)/tau_l^2', 'D >= ||(Sigma + gamma I)^-1 Sigma theta*||'],
  },
  'HT_Ridge_min>0': {
    data: `${ridge}, lambda_min > 0`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, projected gradient descent',
    steps: 'log_{(tau_u+tau_l)/tau_u} sqrt n',
    claim: '||theta_T - theta*|| <~ n^(-1/2)',
    conditions: ['n~ >= 2b', 'n~ > 4 C1^2 log(1/zeta~)/tau_l^2', 'D >= ||(Sigma + gamma I)^-1 Sigma theta*||'],
  },
  'HT_Ridge_min=0': {
    data: `${ridge}, lambda_min = 0`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, projected gradient descent',
    steps: 'log_{(tau_u+tau_l)/tau_u} sqrt n',
    claim: '||theta_T - theta*|| <~ n^(-1/5) + c_K',
    conditions: ['n~ >= 2b', 'n~ > 4 C1^2 log(1/zeta~)/tau_l^2', 'D >= ||(Sigma + gamma I)^-1 Sigma theta*||'],
  },
  Priv_HT_GD_Smooth: {
    data: smooth,
    algorithm: 'alg:RobPGDNFW with noised means, gradient descent over R^p',
    steps: 'n^(1/5)',
    claim: 'excess risk n^(-1/5) + n^(-1/2)/eps',
    conditions: ['eps <= 0.9', 'n~ > 8 log(4/zeta~)'],
  },
  Priv_HT_AGD_Smooth: {
    data: smooth,
    algorithm: "alg:RobPGDNFW with noised means, Nesterov's method over R^p",
    steps: 'n^(1/5)',
    claim: 'excess risk n^(-2/5) + n^(-1)/eps^2',
    conditions: ['eps <= 0.9', 'n~ > 8 log(4/zeta~)'],
  },
  GLMhtGD: {
    data: `${linear}, any convex C that holds theta*`,
    algorithm: 'alg:RobPGDNFW with alg:HTGE, projected gradient descent',
    steps: 'log_{(tau_u+tau_l)/tau_u} sqrt n',
    claim: '||theta_T - theta*|| <~ sqrt(p/n)',
    conditions: ['n~ >= 2b', 'n~ > 4 C1^2 p log(1/zeta~)/tau_l^2'],
  },
  htAGD: {
    data: linear,
    algorithm: "alg:RobPGDNFW with alg:HTGE, Nesterov's method over R^p",
    steps: '2 log(sqrt n)/log(1/(1 - sqrt(tau_l/tau_u)))',
    claim: '||theta_T - theta*|| <~ sqrt(p/n)',
    conditions: ['n~ >= 2b', '1 < tau_u/tau_l < 1.76', 'alpha/tau_l < f2', 'f1 < alpha/tau_l'],
  },
  Hu_eps_PGD: {
    data: `${contaminated}, any convex C that holds theta*`,
    algorithm: 'alg:RobPGDNFW with alg:HubGradTrunc, projected gradient descent',
    steps: 'log_{1/k}(1/sqrt(eps log p))',
    claim: '||theta_T - theta*|| <~ sqrt(eps log p)',
    conditions: ['n~ >= 1', 'alpha < tau_l/2'],
  },
  Hu_eps_Nester: {
    data: contaminated,
    algorithm: "alg:RobPGDNFW with alg:HubGradTrunc, Nesterov's method over R^p",
    steps: 'log_{1/rho}(1/sqrt(eps log p))',
    claim: '||theta_T - theta*|| <~ sqrt(eps log p)',
    conditions: [
      'n~ >= 1',
      '1 < tau_u/tau_l < 1.76',
      'alpha/tau_l < f2',
      'f1 < alpha/tau_l',
      'gamma < f1 tau_l/(C1 sqrt log p)',
    ],
  },
  Util_Priv_SGD: {
    data: 'any convex, L2-Lipschitz loss; any bounded convex C',
    algorithm: 'alg:Priv_SGD',
    steps: 'n^2',
    claim: 'excess empirical risk L2 D sqrt p/(n eps)',
    conditions: ['eps <= 0.9'],
  },
};
