/**
 * Every named statement of the paper beside the code: where it is, what tests it, and how a user reaches it; or why there
 * is nothing to reach. docs/theorems.md is made of this table, and a test fails for a label without a row, a file that
 * does not export what its row names, or a test that does not speak of it.
 */
import { catalogue, type Theorem } from '../../plan/theorem/index.ts';

export interface PaperRow {
  /** Of the paper's LaTeX. */
  readonly label: string;
  readonly kind: 'whole' | 'partly' | 'tool';
  /** What the file exports. Absent for a tool of a proof. */
  readonly code?: { readonly file: string; readonly name: string };
  readonly test?: string;
  /** A command, or where in the library. */
  readonly reach: string;
  /** What is missing, or why nothing is to be implemented. */
  readonly because?: string;
}

const row = (label: string, code: string, test: string, reach: string): PaperRow => {
  const [file, name] = code.split('#') as [string, string];
  return { label, kind: 'whole', code: { file: `src/${file}.ts`, name }, test: `test/${test}.test.ts`, reach };
};

const partly = (label: string, code: string, test: string, reach: string, because: string): PaperRow => ({
  ...row(label, code, test, reach),
  kind: 'partly',
  because,
});

const tool = (label: string, because = 'a tool of proofs: nothing to run'): PaperRow => ({
  ...{ label, because, kind: 'tool' as const, reach: 'nowhere' },
});

const lemma = (label: string, name: string, file: string): PaperRow =>
  row(label, `plan/theorem/lemmas/${file}#${name}`, 'plan/theorem/vectors', `library: lemmas.${name}`);

const remark = (label: string, because: string): PaperRow => ({ label, kind: 'tool', reach: 'nowhere', because });

/** The files of the functions that the catalogue holds. */
const FILES: Readonly<Record<string, string>> = {
  upRidge: 'upRidge',
  noplConvDpFw: 'noplConvDpFw',
  ermGlmUpGeneral: 'glmProblem',
  ermUpCInc: 'glmProblem',
  iterRateIncC: 'glmProblem',
  iterRateIncCNon: 'glmProblem',
  ermGlmUp: 'glmProblem',
  htNonAccFw: 'accFwRob',
  accFwRob: 'accFwRob',
  nonAccLambdaZero: 'spectrum',
  accFwLambdaZero: 'spectrum',
  ridgeGd: 'spectrum',
  htRidgeWellConditioned: 'spectrum',
  htRidgeSingular: 'spectrum',
  privHtGdSmooth: 'privHtSmooth',
  privHtAgdSmooth: 'privHtSmooth',
  glmHtGd: 'htAgd',
  htAgd: 'htAgd',
  huEpsPgd: 'huEps',
  huEpsNester: 'huEps',
  utilPrivSgd: 'utilPrivSgd',
};

/** Tests that do not bear the name of their function. */
const TESTS: Readonly<Record<string, string>> = {
  iterRateIncC: 'ermUpCInc',
  iterRateIncCNon: 'vectors',
  ridgeGd: 'vectors',
  htRidgeWellConditioned: 'htRidge',
  htRidgeSingular: 'htRidge',
  privHtGdSmooth: 'privHtSmooth',
  privHtAgdSmooth: 'privHtSmooth',
  huEpsPgd: 'huEps',
  huEpsNester: 'huEps',
};

/** How the paper labels what the catalogue calls by the last part. */
const labelsOf = ({ label }: Theorem, all: readonly string[]): string =>
  all.find(known => known.slice(known.indexOf(':') + 1) === label)!;

function theoremRow(theorem: Theorem, all: readonly string[]): PaperRow {
  const { name, label } = theorem;
  const file = FILES[name]!;
  const test = TESTS[name] ?? name;
  const reach = `sluice plan --theorem '${label}', sluice fit --theorem '${label}'`;
  return row(labelsOf(theorem, all), `plan/theorem/${file}#${name}`, `plan/theorem/${test}`, reach);
}

const SECOND_CLAIM =
  'judged is the first claim of the caption; the second, about epsilon or a plateau, has no verdict of its own';
const HALVES =
  'functions for both halves of every row; the plain halves of rows 3 and 4 of table 1 are not measured by an exhibit';

const others = (): readonly PaperRow[] => [
  partly('tab1', 'plan/theorem/catalogue#catalogue', 'plan/theorem/catalogue', 'sluice theorems', HALVES),
  row('tab2', 'plan/theorem/catalogue#catalogue', 'plan/theorem/catalogue', 'sluice theorems'),
  row(
    'alg:ReAccFW',
    'method/rule/acceleratedFrankWolfe#acceleratedFrankWolfe',
    'method/rule/acceleratedFrankWolfe',
    'library: acceleratedFrankWolfe; sluice fit --method accelerated-frank-wolfe',
  ),
  lemma('theorem:ACCFWV3', 'acceleratedExcess', 'optimization'),
  row('definition:DiffP', 'privacy/ledger#ledger', 'privacy/ledger', 'sluice fit --epsilon'),
  row(
    'lemma:GLM_prelim_lem',
    'plan/theorem/lemmas/models#glmCurvature',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.glmCurvature',
  ),
  row(
    'alg:PrivNon-accERM',
    'privacy/paperNoise#frankWolfeNoise',
    'privacy/paperNoise',
    'sluice fit --theorem NOPLconvDPFW',
  ),
  row('alg:PrivFWERM', 'privacy/paperNoise#composedNoise', 'privacy/paperNoise', 'sluice fit --theorem UPRidge'),
  lemma('lemma:ACC_PRIV_FW_STEP', 'composedEpsilon', 'privacy'),
  row(
    'remark:UP_Bridge_DP_Dist_Free',
    'lab/synthetic/lowerBoundData#lowerBoundData',
    'lab/synthetic/lowerBoundData',
    'library: lowerBoundData',
  ),
  row(
    'remark:compare_dist_free_ACCFW',
    'plan/theorem/noplConvDpFw#remarkGeometry',
    'plan/theorem/theorems',
    'library: theorems.remarkGeometry',
  ),
  partly(
    'prop:achievab_UP_ERM',
    'plan/theorem/lemmas/models#gradientRatioModel',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.gradientRatioModel',
    'conditions and probability; no data are drawn from the model',
  ),
  partly(
    'theorem:LBRidge',
    'lab/synthetic/lowerBoundData#lowerBoundData',
    'lab/synthetic/lowerBoundData',
    'sluice reproduce lower-bound',
    'its data with another tau: with its own the least size is out of reach, and the lower bound cannot be shown',
  ),
  row(
    'prop:MatchData',
    'lab/paper/exhibits/lowerBound#leastGradient',
    'lab/paper/exhibits/leastGradient',
    'sluice reproduce lower-bound',
  ),
  row('remark:Best_q_ERM', 'plan/theorem/glmProblem#ermUpCInc', 'plan/theorem/vectors', '--given slackExponent=q'),
  remark('remark:Compare_Iter_Inc_C_to_Cost_Priv', 'a comparison with bounds in expectation: nothing to run'),
  remark('remark:More_General_C_ERM', 'a direction for proofs on other sets: nothing stated to run'),
  row(
    'def:ge',
    'plan/theorem/lemmas/stableDescent#stableGradientDescent',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.stableGradientDescent',
  ),
  row(
    'alg:HTGE',
    'method/aggregate/geometricMedian#geometricMedian',
    'method/aggregate/geometricMedian',
    'sluice fit --aggregate median-of-means',
  ),
  lemma('lemma:geri', 'ridgeGradientError', 'estimators'),
  row(
    'RemChooseT',
    'plan/theorem/privHtSmooth#privHtGdSmooth',
    'plan/theorem/privHtSmooth',
    'sluice theorems Priv_HT_GD_Smooth',
  ),
  row('remark:compare_AGD_GD_Smooth', 'lab/paper/exhibits/plot3#plot3', 'lab/paper/figures', 'sluice reproduce plot3'),
  row(
    'theorem:AGD',
    'plan/theorem/lemmas/stableDescent#stableNesterov',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.stableNesterov; sluice fit --theorem AGD for G_MOM',
  ),
  row(
    'remark:Nester_Iter_LB',
    'plan/theorem/lemmas/stableDescent#stableNesterov',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.stableNesterov, enoughSteps',
  ),
  row('RemFaster', 'plan/theorem/stability#fasterFrom', 'plan/theorem/stability', 'sluice plan --theorem htAGD'),
  ...[2, 6].map(k =>
    partly(
      `fig:plot${k}`,
      `lab/paper/exhibits/plot${k}#plot${k}`,
      'lab/paper/exhibits',
      `sluice reproduce plot${k}`,
      SECOND_CLAIM,
    ),
  ),
  ...[1, 3, 4].map(k =>
    row(`fig:plot${k}`, `lab/paper/exhibits/plot${k}#plot${k}`, 'lab/paper/exhibits', `sluice reproduce plot${k}`),
  ),
  row('fig:plot5', 'lab/paper/exhibits/plot5#plot5', 'lab/paper/exhibits', 'sluice reproduce plot5'),
  row('fig:plot_l_bigger_0', 'lab/paper/exhibits/plot7#plot7', 'lab/paper/exhibits', 'sluice reproduce plot7'),
  row('def:bd_moments', 'math/random/studentT#studentT', 'math/random/studentT', 'library: studentT'),
  tool('lemma:auxilGD'),
  row('lemma:STR_CONV_BALL', 'method/constraint/l2Ball#l2Ball', 'method/constraint/l2Ball', 'library: l2Ball'),
  row(
    'lemma:Optimiz_Proj_GD_Conv',
    'method/rule/projectedGradient#projectedGradient',
    'method/rule/projectedGradient',
    'library: projectedGradient',
  ),
  row('lemma:Optimiz_Nester_Conv', 'method/rule/nesterov#nesterov', 'method/rule/nesterov', 'library: nesterov'),
  row(
    'fig:my_label',
    'plan/theorem/lemmas/optimization#nesterovLag',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.nesterovLag',
  ),
  row('lemma:Optimiz_FW_Conv', 'method/rule/frankWolfe#frankWolfe', 'method/rule/frankWolfe', 'library: frankWolfe'),
  row(
    'lemma:NonAccRel_FW',
    'plan/theorem/lemmas/optimization#frankWolfeExcess',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.frankWolfeExcess',
  ),
  row(
    'lemma:mGDP',
    'privacy/gaussianNoise#gaussianNoise',
    'privacy/gaussianNoise',
    'exact Gaussian DP in its place; library: gaussianNoise',
  ),
  row('lemma:Basic_Comp', 'privacy/composition#composition', 'privacy/composition', 'exact composition in its place'),
  lemma('lemma:compGDP', 'composedEpsilon', 'privacy'),
  row(
    'cor:ADV_COMP_0.9',
    'plan/theorem/lemmas/privacy#composedEpsilon',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.composedEpsilon',
  ),
  ...[
    'SG_conc_variable',
    'CIGV',
    '9',
    'Smooth_GD_Helper',
    'HP_TO_EXP',
    'Concxx^T',
    'Covering_Nr_Ball',
    'Consis_MLE',
    'M_Estim_Conv',
    'Bern_Vec',
  ].map(name => tool(`lemma:${name}`)),
  tool('remark:Second_Ord_Ineq_Rmk'),
  row('def:t_dist', 'math/random/studentT#studentT', 'math/random/studentT', 'library: studentT'),
  row('lemma:t_dist_lemma', 'math/random/studentT#studentT', 'math/random/studentT', 'library: studentT'),
  row(
    'lemma:pHu_prelim',
    'plan/theorem/lemmas/models#pseudoHuberCurvature',
    'plan/theorem/vectors',
    'library: lemmas.pseudoHuberCurvature, pseudoHuber',
  ),
  row(
    'remark:pHu_prelim_rmk',
    'math/random/truncatedNormal#truncatedNormal',
    'math/random/truncatedNormal',
    'library: truncatedNormal',
  ),
  row('alg:RobPGDNFW', 'flow/descend#descend', 'flow/descend', 'library: descend over split'),
  tool(
    'lemma:FingX',
    'the existence of a fingerprinting matrix, of which no construction is given: its columns are planted instead',
  ),
  tool('lemma:ERM_Dist_Free_LB_Helper'),
  tool('remark:DIST_FREE_HP_CONST'),
  lemma('lemma:htlemma', 'medianOfMeansError', 'estimators'),
  row(
    'lemma:6',
    'method/aggregate/geometricMedian#geometricMedian',
    'method/aggregate/geometricMedian',
    'library: geometricMedian',
  ),
  lemma('lemma:cov_ri', 'gradientCovariance', 'estimators'),
  row(
    'lemma:GD',
    'plan/theorem/lemmas/stableDescent#stableGradientDescent',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.stableGradientDescent',
  ),
  row(
    'remark:GD_Iter_LB',
    'plan/theorem/lemmas/stableDescent#stableGradientDescent',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.stableGradientDescent, enoughSteps',
  ),
  lemma('lemma:geglmht', 'linearGradientError', 'estimators'),
  lemma('lemma:Avg_Grad_Priv_GD_vs_AGD', 'privateGradientError', 'estimators'),
  row(
    'lemma:Inexact_GD_lemma',
    'plan/theorem/lemmas/optimization#inexactGradientExcess',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.inexactGradientExcess',
  ),
  row(
    'lemma:Inexact_AGD_lemma',
    'plan/theorem/lemmas/optimization#inexactNesterovExcess',
    'plan/theorem/lemmas/lemmas',
    'library: lemmas.inexactNesterovExcess',
  ),
  row(
    'alg:HubGradTrunc',
    'engine/kernel/huberEstimator#huberEstimator',
    'engine/kernel/huberEstimator',
    'sluice fit --aggregate huber',
  ),
  row(
    'alg:HuOutlier',
    'engine/kernel/huberEstimator#huberEstimator',
    'engine/kernel/huberEstimator',
    'sluice fit --aggregate huber',
  ),
  lemma('lemma:5', 'huberGradientError', 'estimators'),
  lemma('lemma:covglm', 'gradientCovariance', 'estimators'),
  lemma('lemma:geglmhb', 'huberGradientError', 'estimators'),
  row(
    'alg:Priv_SGD',
    'lab/paper/privateSgd#privateSgd',
    'lab/paper/privateSgd',
    'sluice fit --theorem Util_Priv_SGD --seed S',
  ),
];

/** A row for every one of these labels, in their order; refuses a label that has none and a row for none of them. */
export function paperTable(labels: readonly string[]): readonly PaperRow[] {
  const rows = new Map(
    [...others(), ...catalogue().map(theorem => theoremRow(theorem, labels))].map(one => [one.label, one]),
  );
  const missing = labels.filter(label => !rows.has(label));
  const unknown = [...rows.keys()].filter(label => !labels.includes(label));
  if (missing.length + unknown.length > 0)
    throw new Error(`no row for ${missing.join(', ') || 'none'}; no label for ${unknown.join(', ') || 'none'}`);
  return labels.map(label => rows.get(label)!);
}

/** How complete the table is, in a sentence that it computes. */
export function completeness(rows: readonly PaperRow[]): string {
  const count = (kind: PaperRow['kind']): number => rows.filter(row => row.kind === kind).length;
  return `Of the paper's ${rows.length} named statements, algorithms, figures and tables, ${count('whole')} are in the library whole, ${count('partly')} in part, and ${count('tool')} are tools of proofs or comparisons with nothing to run.`;
}

/** The table in Markdown. */
export const paperMarkdown = (rows: readonly PaperRow[]): string =>
  [
    ['the paper', 'function', 'test', 'reach', 'what is missing'],
    ['---', '---', '---', '---', '---'],
    ...rows.map(({ label, code, test, reach, because = '' }) => [
      `\`${label}\``,
      code === undefined ? '' : `\`${code.name}\` in ${code.file}`,
      test ?? '',
      reach,
      because,
    ]),
  ]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
