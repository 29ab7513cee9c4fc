import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { theoremFitCommand } from '../../src/cli/commands/theoremFitCommand.ts';
import { theoremPlan } from '../../src/cli/commands/theoremPlan.ts';
import { addFitFlags, type FitFlags } from '../../src/cli/flags/fitFlags.ts';
import { inFlags } from '../../src/cli/render/inFlags.ts';
import { ArgumentError } from '../../src/errors.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { parseModel } from '../../src/model/model.ts';
import { catalogue } from '../../src/plan/theorem/catalogue.ts';
import type { Prescription } from '../../src/plan/theorem/prescription.ts';
import * as theorems from '../../src/plan/theorem/theorems.ts';
import { glmSetting } from '../support/glmSetting.ts';
import { runCli } from '../support/runCli.ts';

const heavy = { rows: 60_000, failureProbability: 0.1 };
const curved = { ...heavy, features: 3, smoothness: 1, strongConvexity: 0.7 };
const contaminated = { ...curved, contamination: 0.01, concentration: 0.1 };
const regular = { ...heavy, eigenvalues: Float64Array.of(1, 0.8, 0.7), truth: Float64Array.of(1, 1, 1) };
const singular = { ...heavy, eigenvalues: Float64Array.of(1, 1, 0), truth: Float64Array.of(1, 1, 0.5) };
const budget = { epsilon: 0.5, delta: 1e-6 };
const glm = { ...glmSetting, ...budget, rows: 1_000_000 };
const smooth = { ...heavy, ...budget, lipschitz: 0.2, smoothness: 1 / 3 };
const rob = { ...heavy, truthNorm: 2, smallestEigenvalue: 0.7, largestEigenvalue: 1 };

/** For every theorem, what its function is given and says. */
const problems: Record<string, readonly [object, Prescription]> = {
  UPRidge: both(theorems.upRidge, { rows: 10_000, features: 10, radius: 0.1, gradientRatio: 1, ...budget }),
  NOPLconvDPFW: both(theorems.noplConvDpFw, {
    ...{ rows: 10_000, radius: 0.5, lipschitz: 3, gaussianWidth: 2, curvature: 4 },
    ...budget,
  }),
  ERM_GLM_UP_General: both(theorems.ermGlmUpGeneral, { ...glm, radius: 1, failureProbability: 0.1 }),
  ERM_UP_C_Inc: both(theorems.ermUpCInc, { ...glm, failureProbability: 0.1 }),
  Iter_Rate_Inc_C: both(theorems.iterRateIncC, { ...glm, failureProbability: 0.1, radius: 0.5 }),
  ERM_GLM_UP: both(theorems.ermGlmUp, { ...glm, radius: 1, concentration: 2 }),
  HT_NonAccFW: both(theorems.htNonAccFw, { ...heavy, radius: 2, truthNorm: 2 }),
  ACCFWROB: both(theorems.accFwRob, { ...rob, gap: 0.5, mode: 'full' }),
  'NonACC_lambda=0': both(theorems.nonAccLambdaZero, singular),
  'ACCFW_lambda=0': both(theorems.accFwLambdaZero, { ...singular, penalty: 0.2 }),
  'HT_Ridge_min>0': both(theorems.htRidgeWellConditioned, regular),
  'HT_Ridge_min=0': both(theorems.htRidgeSingular, singular),
  Priv_HT_GD_Smooth: both(theorems.privHtGdSmooth, smooth),
  Priv_HT_AGD_Smooth: both(theorems.privHtAgdSmooth, smooth),
  GLMhtGD: both(theorems.glmHtGd, curved),
  htAGD: both(theorems.htAgd, curved),
  Hu_eps_PGD: both(theorems.huEpsPgd, contaminated),
  Hu_eps_Nester: both(theorems.huEpsNester, contaminated),
  Util_Priv_SGD: both(theorems.utilPrivSgd, { rows: 500, features: 3, radius: 1, lipschitz: 1, ...budget }),
};

function both<P extends object>(theorem: (problem: P) => Prescription, problem: P) {
  return [problem, theorem(problem)] as const;
}

const FLAGS: Readonly<Record<string, string>> = {
  rows: '--rows',
  features: '--width',
  failureProbability: '--failure',
  epsilon: '--epsilon',
  delta: '--delta',
  radius: '--radius',
  mode: '--mode',
};

function flagsFor(problem: object): string[] {
  return Object.entries(problem).flatMap(([name, value]) =>
    name in FLAGS
      ? [FLAGS[name]!, String(value)]
      : ['--given', `${name}=${value instanceof Float64Array ? value.join('|') : value}`],
  );
}

const parsed = (args: readonly string[]): FitFlags =>
  addFitFlags(new Command().option('--target <column>').option('--width <p>').option('--out <file>'))
    .parse(['--target', 'y', ...args], { from: 'user' })
    .opts();

const plan = (...args: readonly string[]): string => theoremPlan(parsed(args));

describe('sluice plan --theorem', () => {
  it('says of every theorem what its function says', () => {
    expect(Object.keys(problems)).to.have.members(catalogue().map(({ label }) => label));
    for (const [label, [problem, prescription]] of Object.entries(problems)) {
      const said = plan('--theorem', label, '--json', ...flagsFor(problem));
      expect(JSON.parse(said).prescription).to.deep.equal(JSON.parse(JSON.stringify(prescription)));
      expect(plan('--theorem', label, ...flagsFor(problem))).to.include(`theorem ${label} for`);
    }
  });

  it('prints every parameter and every condition with its numbers', async () => {
    const { stdout } = await runCli([
      ...['plan', '--target', 'y', '--theorem', 'htagd', '--rows', '60000', '--width', '100'],
      ...['--failure', '0.1', '--given', 'smoothness=1', '--given', 'strongConvexity=0.6666666666666666'],
    ]);
    for (const line of [
      'theorem htAGD for 60000 rows, 100 features',
      '  rule            nesterov',
      '  steps T         7',
      '  rows a step     8571',
      '  step size       1',
      '  momentum        0.101021',
      '  estimator       geometric median of 15 block means',
      '  claim           an error ||theta - theta*|| of order sqrt(p/n)',
      '  met  1 < tau_u/tau_l < 1.76  tau_u/tau_l = 1.5',
    ]) {
      expect(stdout.split('\n')).to.include(line);
    }
  });

  it('says what does not hold, and that fit would refuse it, and still exits with 0', async () => {
    const { code, stdout } = await runCli([
      ...['plan', '--target', 'y', '--theorem', 'GLMhtGD', '--rows', '2000', '--width', '100'],
      ...['--given', 'smoothness=1,strongConvexity=0.7'],
    ]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/NOT MET {2}n~ > 4 C1\^2 p log\(1\/zeta~\)\/tau_l\^2 {2}n~ = 250, bound = \d/);
    expect(stdout).to.include('fit would refuse the run');
  });

  it('shows how fit would carry out a private theorem within declared bounds', () => {
    const stdout = plan(
      ...['--theorem', 'UPRidge', '--rows', '100000', '--radius', '0.1', '--calibration', 'exact'],
      ...['--epsilon', '0.9', '--delta', '1e-6', '--given', 'gradientRatio=1'],
      ...['--bounds', 'a:-1..1,b:-1..1,y:-1..1'],
    );
    expect(stdout).to.include('theorem UPRidge for 100000 rows, 2 features');
    expect(stdout).to.include('calibration exact');
    expect(stdout).to.include('steps    87 (accelerated-frank-wolfe), each over all 100000 rows');
  });

  it('refuses missing and superfluous names with the list of what the theorem takes', () => {
    const takes = /strongConvexity +--given +tau_l, the smallest\n.*\n +concentration +--given +C1, .* \(optional\)$/;
    const cases: readonly (readonly [readonly string[], string | RegExp])[] = [
      [['--theorem', 'htAGD', '--given', 'smoothness=1'], 'theorem htAGD needs strongConvexity; it takes\n'],
      [['--theorem', 'htAGD', '--given', 'smoothness=1'], takes],
      [
        ['--theorem', 'htAGD', '--given', 'smoothness=1,strongConvexity=1,hue=3'],
        'theorem htAGD does not take hue; it takes',
      ],
      [['--theorem', 'htAGD', '--radius', '3'], 'and does not take radius; it takes'],
      [['--theorem', 'htAGD', '--epsilon', '0.5', '--delta', '1e-6'], 'does not take epsilon, delta'],
      [['--theorem', 'UPRidge', '--given', 'gradientRatio=1'], 'needs radius, epsilon, delta; it takes'],
      [['--theorem', 'GLMhtGD', '--given', 'rows=3'], 'which comes from the data, or --rows'],
      [['--theorem', 'GLMhtGD', '--given', 'smoothness'], '--given must look like smoothness=1,'],
      [['--theorem', 'GLMhtGD', '--given', 'smoothness=a'], '--given smoothness must be a number'],
      [['--theorem', 'GLMhtGD', '--given', 'a=1,a=2'], '--given must name a once, got it twice; leave one of them out'],
      [['--theorem', 'GLMhtGD', '--steps', '3'], 'leave --steps 3 out'],
      [['--theorem', 'GLMhtGD', '--loss', 'logistic', ...flagsFor(curved)], 'is about the squared loss'],
      [
        ['--theorem', 'HT_Ridge_min>0', '--given', 'eigenvalues=1|1,truth=1|1'],
        '--given eigenvalues must have 3 values, one per feature, got 2',
      ],
      [['--theorem', 'Pythagoras'], 'theorem must be one of UPRidge, NOPLconvDPFW,'],
    ];
    for (const [flags, message] of cases) {
      expect(() => plan('--rows', '1000', '--width', '3', ...flags)).to.throw(ArgumentError, message);
    }
  });

  it('refuses --given without a theorem', async () => {
    const run = await runCli(['plan', '--target', 'y', '--rows', '99', '--width', '3', '--given', 'gap=1']);
    expect(run).to.include({ code: 2, stdout: '' });
    expect(run.stderr).to.include('give --theorem NAME too');
  });
});

describe('sluice fit --theorem', () => {
  let folder: string;
  let linear: string;
  let bounded: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-theorem-'));
    linear = join(folder, 'linear.csv');
    bounded = join(folder, 'bounded.csv');
    const random = seeded(1, 'theorem');
    const scales = [1, 0.8, 0.7].map(Math.sqrt);
    const lines = Array.from({ length: 20_000 }, () => {
      const x = scales.map(scale => scale * normal(random));
      return [...x, x[0]! + x[1]! + x[2]! + studentT(random, 3)].join();
    });
    writeFileSync(linear, `a,b,c,y\n${lines.join('\n')}\n`);
    const short = Array.from({ length: 20_000 }, () => {
      const [a, b] = [1.4 * uniform(random) - 0.7, 1.4 * uniform(random) - 0.7];
      return [a, b, 0.5 * a + 0.3 * b + 0.2 * (uniform(random) - 0.5)].join();
    });
    writeFileSync(bounded, `a,b,y\n${short.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  const fitBy = (theorem: string, ...flags: readonly string[]) =>
    runCli(['fit', linear, '--target', 'y', '--theorem', theorem, '--failure', '0.1', ...flags]);
  const curvature = ['--given', 'smoothness=1,strongConvexity=0.7'];

  it('runs what the theorem prescribes and writes it down with its conditions', async () => {
    const out = join(folder, 'model.json');
    const run = await fitBy('htAGD', ...curvature, '--no-intercept', '--out', out);
    expect(run.stderr).to.equal('');
    expect(run.code).to.equal(0);
    expect(run.stdout).to.include('theorem htAGD, which claims an error ||theta - theta*|| of order sqrt(p/n)');
    const model = parseModel(readFileSync(out, 'utf8'), out);
    const problem = {
      rows: 20_000,
      features: 3,
      failureProbability: 0.1,
      smoothness: 1,
      strongConvexity: 0.7,
    };
    const { steps, chunkRows, claim, conditions } = theorems.htAgd(problem);
    // theta_T of Nesterov's method comes after T - 1 gradients.
    expect(model.plan).to.deep.include({
      rule: 'nesterov',
      mode: 'fresh',
      aggregate: 'median-of-means',
      chunks: Array.from({ length: steps - 1 }, () => chunkRows),
    });
    const given = { failureProbability: 0.1, smoothness: 1, strongConvexity: 0.7 };
    expect(model.plan.theorem).to.deep.equal({ label: 'htAGD', given, claim, conditions });
    expect(model.intercept).to.equal(null);
    for (const value of Object.values(model.coefficients)) expect(value).to.be.closeTo(1, 0.1);
  });

  it('estimates by gradient descent, Frank-Wolfe, ridge and the Huber estimator', async () => {
    const spectrum = ['--given', 'eigenvalues=1|0.8|0.7', '--given', 'truth=1|1|1'];
    const length = String(Math.sqrt(3));
    const cases = [
      ['GLMhtGD', 0.1, curvature],
      ['HT_NonAccFW', 0.25, ['--radius', length, '--given', `truthNorm=${length}`]],
      ['HT_Ridge_min>0', 0.1, spectrum],
      ['Hu_eps_PGD', 0.2, [...curvature, '--given', 'contamination=0.01,concentration=0.1']],
    ] as const;
    const runs = await Promise.all(cases.map(([theorem, , flags]) => fitBy(theorem, ...flags, '--json', '--quiet')));
    runs.forEach(({ code, stdout, stderr }, k) => {
      const [theorem, error] = cases[k]!;
      expect(code, stderr).to.equal(0);
      const model = JSON.parse(stdout);
      expect(model.plan.theorem.label).to.equal(theorem);
      expect(model.loss.ridge).to.equal(theorem === 'HT_Ridge_min>0' ? 20_000 ** (-1 / 2) : undefined);
      for (const value of Object.values(model.coefficients)) expect(value, theorem).to.be.closeTo(1, error);
    });
  });

  it('says that a theorem has no intercept, unless that was said before', async () => {
    const { stderr, stdout, code } = await fitBy('GLMhtGD', ...curvature);
    expect(stderr).to.include('theorem GLMhtGD has no intercept, so this fit has none');
    expect(stdout).not.to.include('(intercept)');
    expect(code).to.equal(0);
  });

  const priv = (theorem: string, ...flags: readonly string[]) =>
    runCli([
      ...['fit', bounded, '--target', 'y', '--theorem', theorem, '--epsilon', '0.9', '--delta', '1e-6'],
      ...['--no-intercept', ...flags],
    ]);
  const ball = ['--radius', '0.5', '--given', 'gradientRatio=2'];
  const units = ['--bounds', 'a:-1..1,b:-1..1,y:-1..1'];

  it('runs a private theorem with its noise, or with a sharper calibration of it', async () => {
    const [paper, exact] = await Promise.all([
      priv('UPRidge', ...ball, ...units, '--json', '--quiet'),
      // Seeded, because secure noise now and then leaves less of the slope than is asked for below.
      priv('UPRidge', ...ball, ...units, '--calibration', 'exact', '--seed', '1', '--json', '--quiet'),
    ]);
    const problem = { rows: 20_000, features: 2, radius: 0.5, gradientRatio: 2, epsilon: 0.9, delta: 1e-6 };
    const { steps, privacy } = theorems.upRidge(problem);
    expect(paper.code, paper.stderr).to.equal(0);
    const model = JSON.parse(paper.stdout);
    expect(model.plan).to.include({ rule: 'accelerated-frank-wolfe', calibration: 'paper', steps });
    expect(model.plan.theorem.label).to.equal('UPRidge');
    expect(model.ledger.private).to.equal(true);
    // Integer noise is a little more than asked for, never less.
    expect(model.steps[0].sigma / privacy!.sigma!).to.be.within(1, 1.001);
    const sharper = JSON.parse(exact.stdout);
    expect(sharper.steps[0].sigma).to.be.below(model.steps[0].sigma);
    const length = Math.hypot(...(Object.values(sharper.coefficients) as number[]));
    expect(length).to.be.at.most(0.5 + 1e-12);
    expect(sharper.coefficients.a).to.be.above(0.2);
  });

  it('takes T - 1 private gradients of Nesterov, on the first of T chunks', async () => {
    const run = await priv(
      ...(['Priv_HT_AGD_Smooth', '--loss', 'pseudo-huber:0.2', '--norm-bound', '1', '--json'] as const),
      ...[
        '--features',
        'a,b',
        '--bounds',
        'y:-10..10',
        '--given',
        'lipschitz=0.2,smoothness=0.33',
        '--calibration',
        'parallel',
      ],
    );
    expect(run.code, run.stderr).to.equal(0);
    const { plan, rows } = JSON.parse(run.stdout);
    // T = 20,000^(1/5) = 7.2...
    expect(plan.chunks).to.deep.equal([2500, 2500, 2500, 2500, 2500, 2500, 2500]);
    expect(rows).to.include({ used: 17_500, leftOver: 2500 });
    expect(plan).to.include({ rule: 'nesterov', calibration: 'parallel', lipschitz: 0.2 });
  });

  it('simulates private SGD on rows in memory, and says that it is not private', async () => {
    const few = join(folder, 'few.csv');
    writeFileSync(few, readFileSync(bounded, 'utf8').split('\n').slice(0, 301).join('\n'));
    const simulate = (seed: string) =>
      runCli([
        ...['fit', few, '--target', 'y', '--theorem', 'Util_Priv_SGD', '--loss', 'squared', '--radius', '0.7'],
        ...['--given', 'lipschitz=2', '--epsilon', '0.9', '--delta', '0.3', '--seed', seed, '--no-intercept'],
        '--json',
      ]);
    const [first, again, other] = await Promise.all([simulate('1'), simulate('1'), simulate('2')]);
    expect(first.code, first.stderr).to.equal(0);
    expect(again.stdout).to.equal(first.stdout);
    const model = JSON.parse(first.stdout);
    expect(JSON.parse(other.stdout).coefficients).not.to.deep.equal(model.coefficients);
    const problem = { rows: 300, features: 2, radius: 0.7, lipschitz: 2, epsilon: 0.9, delta: 0.3 };
    const { steps, privacy } = theorems.utilPrivSgd(problem);
    expect(model.plan).to.include({ rule: 'private-sgd', steps, sigma: privacy!.sigma });
    expect(model.plan.theorem.label).to.equal('Util_Priv_SGD');
    expect(model.ledger).to.include({ private: false, epsilon: null, note: 'NOT PRIVATE (seeded)' });
    expect(model.steps).to.have.length(300);
    expect(Math.hypot(...(Object.values(model.coefficients) as number[]))).to.be.at.most(0.7 + 1e-12);
  });

  it('fits what the other theorems of heavy tails prescribe too', async () => {
    const length = String(Math.sqrt(3));
    const spectrum = (penalty: string) => [
      ...[
        '--given',
        'eigenvalues=1|0.8|0',
        '--given',
        'truth=1|1|1',
        '--mode',
        'full',
        ...(penalty ? ['--given', penalty] : []),
      ],
    ];
    const cases = [
      ['Hu_eps_Nester', [...curvature, '--given', 'contamination=0.01,concentration=0.1']],
      ['AGD', curvature],
      [
        'ACCFWROB',
        ['--given', `truthNorm=${length},smallestEigenvalue=0.7,largestEigenvalue=1,gap=0.5`, '--mode', 'full'],
      ],
      ['NonACC_lambda=0', spectrum('')],
      ['ACCFW_lambda=0', spectrum('')],
      ['HT_Ridge_min=0', spectrum('concentration=0.1')],
    ] as const;
    const runs = await Promise.all(cases.map(([theorem, flags]) => fitBy(theorem, ...flags, '--json', '--quiet')));
    runs.forEach(({ code, stdout, stderr }, k) => {
      expect(code, `${cases[k]![0]}: ${stderr}`).to.equal(0);
      expect(Object.values(JSON.parse(stdout).coefficients)).to.have.length(3);
    });
  });

  it('refuses what a theorem does not hold for, before a file is written', async () => {
    const out = join(folder, 'never.json');
    const smooth = ['--given', 'lipschitz=0.2,smoothness=0.33'];
    const sgdGiven = ['--given', 'lipschitz=2', '--seed', '1'];
    const plainly = (...flags: readonly string[]) => [linear, ...flags];
    const privately = (...flags: readonly string[]) => [...[bounded, ...flags, '--epsilon', '0.9', '--delta', '1e-6']];
    const cases: readonly (readonly [readonly string[], string])[] = [
      [plainly('Hu_eps_PGD', ...curvature, '--given', 'contamination=0.3'), 'NOT MET  alpha < tau_l/2'],
      [plainly('GLMhtGD', ...curvature, '--loss', 'logistic'), 'is about the squared loss'],
      [plainly('GLMhtGD', ...curvature, '--set', 'l2', '--radius', '3'), 'leave --set l2 out'],
      [plainly('GLMhtGD', ...curvature, '--seed', '3'), '--seed is for private runs'],
      [plainly('UPRidge', ...ball), 'theorem UPRidge needs epsilon, delta; it takes'],
      [privately('UPRidge', ...ball, '--bounds', 'a:-2..2,b:-1..1,y:-1..1'), 'these bounds would rescale the rows'],
      [
        privately('UPRidge', ...ball, '--bounds', 'a:-1..1,b:-1..1,y:-5..5'),
        'assumes gradients of norm at most 2.41421',
      ],
      [privately('UPRidge', '--features', 'a,b', ...ball), '--bounds must include the target "y"'],
      [privately('Priv_HT_GD_Smooth', ...smooth, ...units), 'name one with --loss'],
      [privately('Priv_HT_GD_Smooth', ...smooth, ...units, '--loss', 'squared'), 'are unbounded'],
      [
        privately('Util_Priv_SGD', '--radius', '1', '--loss', 'squared', '--given', 'lipschitz=1'),
        'give --seed S to simulate it',
      ],
      [
        privately('Util_Priv_SGD', '--radius', '1', '--loss', 'squared', ...sgdGiven, ...units),
        '--bounds does not apply to theorem Util_Priv_SGD',
      ],
      [privately('Util_Priv_SGD', '--radius', '1', '--loss', 'squared', ...sgdGiven), 'NOT MET  n <= 1000'],
    ];
    for (const [[path, theorem, ...flags], message] of cases) {
      const settings = parsed(['--theorem', theorem!, ...flags, '--no-intercept', '--quiet', '--out', out]);
      const error = await theoremFitCommand([path!], settings).catch((caught: Error) => caught);
      expect(error).to.include({ name: 'ArgumentError' });
      expect(inFlags((error as Error).message)).to.include(message);
    }
    expect(existsSync(out)).to.equal(false);
    const run = await fitBy('Hu_eps_PGD', ...curvature, '--given', 'contamination=0.3', '--out', out);
    expect(run).to.include({ code: 2, stdout: '' });
    expect(run.stderr).to.include('NOT MET  alpha < tau_l/2');
  });
});
