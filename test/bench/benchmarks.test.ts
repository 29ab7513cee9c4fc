import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Accuracy, type Cell, loadAccuracy, put } from '../../bench/accuracy/cells.ts';
import { benchmarksDocument } from '../../bench/accuracy/document.ts';
import { reasonFor } from '../../bench/accuracy/reasons.ts';
import { assumptionsHold, methodsOf, OURS, scenarioNamed, settingsFor } from '../../bench/accuracy/settings.ts';
import { ratioOf, verdictsOf } from '../../bench/accuracy/verdicts.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const cell = (method: string, errors: Cell['errors'], more: Partial<Cell> = {}): Cell => ({
  scenario: 'gaussian',
  rows: 100_000,
  features: 20,
  epsilon: null,
  method,
  code: null,
  errors,
  intercepts: [],
  seconds: [],
  ...more,
});
/** As many seeds as it takes to decide something. */
const thrice = (error: number | null): Cell['errors'] => [error, error, error];
const accuracyOf = (cells: readonly Cell[], more: Partial<Accuracy> = {}): Accuracy => ({
  measured: '',
  machine: '',
  versions: {},
  cells,
  timings: [],
  coverage: [],
  ...more,
});

describe('docs/benchmarks.md', () => {
  it('is what the measured numbers render to', () => {
    const speed = JSON.parse(textOf('bench/results.json'));
    expect(textOf('docs/benchmarks.md')).to.equal(benchmarksDocument(loadAccuracy(), speed));
  });
});

describe('verdicts on accuracy', () => {
  it('compare errors seed by seed, over the seeds that both have', () => {
    expect(ratioOf(cell(OURS, [1, 8, 100]), cell('sklearn Huber', [1, 2]))).to.be.closeTo(2, 1e-12);
    expect(ratioOf(cell(OURS, [1, 3]), cell('sklearn Huber', [null, 3]))).to.equal(1);
    expect(ratioOf(cell(OURS, [null]), cell('sklearn Huber', [1]))).to.equal(null);
    expect(ratioOf(cell(OURS, []), cell('sklearn Huber', [1]))).to.equal(undefined);
  });

  it('take the best peer whose assumptions hold', () => {
    const spoilt = { scenario: '5 % outliers in y' };
    const cells = [
      cell(OURS, thrice(1.1), spoilt),
      cell('sklearn LinearRegression', thrice(0.1), spoilt),
      cell('sklearn Huber', thrice(1), spoilt),
      cell('sklearn RANSAC', thrice(2), spoilt),
    ];
    const [verdict, ...more] = verdictsOf(accuracyOf(cells));
    expect(more).to.deep.equal([]);
    expect(verdict).to.include({ target: 'best', against: 'sklearn Huber', met: true });
    expect(verdict!.value).to.be.closeTo(1.1, 1e-12);
  });

  it('are not decided by a peer with few seeds', () => {
    const cells = [cell(OURS, [1, 1, 1]), cell('sklearn TheilSen', [0.1]), cell('sklearn Huber', [1, 1, 1])];
    expect(verdictsOf(accuracyOf(cells))[0]).to.include({ against: 'sklearn Huber', met: true });
  });

  it('are lost at 1.16 times the error of the best peer', () => {
    const [verdict] = verdictsOf(accuracyOf([cell(OURS, thrice(1.16)), cell('sklearn Huber', thrice(1))]));
    expect(verdict!.met).to.equal(false);
  });

  it('ask for twice the error of every peer under leverage, whatever it assumes', () => {
    const bent = { scenario: '5 % leverage' };
    const against = (error: number) =>
      verdictsOf(
        accuracyOf([
          cell(OURS, thrice(1), bent),
          cell('sklearn RANSAC', thrice(4), bent),
          cell('statsmodels Tukey', thrice(error), bent),
        ]),
      ).find(({ target }) => target === 'leverage')!;
    expect(against(1.5)).to.include({ against: 'statsmodels Tukey', value: 1.5, met: false });
    expect(against(5)).to.include({ against: 'sklearn RANSAC', value: 4, met: true });
  });

  it('compare with diffprivlib only where its noise shows', () => {
    const priv = { scenario: 'private, normal noise', epsilon: 1 };
    const targets = (error: number) =>
      verdictsOf(
        accuracyOf([
          cell(OURS, thrice(0.1), priv),
          cell('diffprivlib LinearRegression', thrice(error), priv),
          cell('sklearn LinearRegression', thrice(0.01), priv),
          cell('AdaSSP', thrice(0.05), priv),
        ]),
      ).map(({ target, met }) => [target, met]);
    expect(targets(0.09)).to.deep.equal([['adaSsp', false]]);
    expect(targets(0.6)).to.deep.equal([
      ['diffprivlib', true],
      ['adaSsp', false],
    ]);
  });

  it('lose a cell in which Sluice gives up', () => {
    const priv = { scenario: 'private, normal noise', epsilon: 0.1 };
    const [verdict] = verdictsOf(accuracyOf([cell(OURS, thrice(null), priv), cell('AdaSSP', thrice(1), priv)]));
    expect(verdict).to.include({ target: 'adaSsp', value: null, met: false });
  });

  it('hold intervals to 93 to 97 %', () => {
    const place = { scenario: 'gaussian', rows: 10_000, features: 5, code: '', replications: 1000 };
    const covered = { slopes: 0.95, intercept: 0.98 };
    const found = verdictsOf(accuracyOf([], { coverage: [{ ...place, covered }] }));
    expect(found.map(({ against, met }) => [against, met])).to.deep.equal([
      ['slopes', true],
      ['intercept', false],
    ]);
  });
});

describe('verdicts on private intervals', () => {
  const place = { scenario: 'private, leaning features', rows: 10_000, features: 5, epsilon: 0.1, code: '' };
  const verdicts = (replications: number, slopes: number, intercept: number) =>
    verdictsOf(accuracyOf([], { coverage: [{ ...place, replications, covered: { slopes, intercept } }] }));

  it('let them hold more often than they say, but hardly less', () => {
    expect(verdicts(200, 1, 0.915).map(({ target, against, met }) => [target, against, met])).to.deep.equal([
      ['privateCoverage', 'slopes', true],
      ['privateCoverage', 'intercept', false],
    ]);
    expect(verdicts(200, 0.92, 0.95).every(({ met }) => met)).to.equal(true);
    expect(verdicts(199, 0.5, 0.5)).to.deep.equal([]);
  });

  it('have a reason where somebody has looked', () => {
    const [slopes, intercept] = verdicts(200, 0.5, 0.79);
    expect(reasonFor(intercept!)).to.match(/^the intercept is an extrapolation far from the rows/);
    expect(reasonFor(slopes!)).to.equal('not analysed yet');
  });
});

describe('settings of the accuracy benchmark', () => {
  it('let Theil-Sen stand for as many spoilt rows as its subsets allow', () => {
    const scenario = scenarioNamed('5 % leverage');
    expect(assumptionsHold('sklearn TheilSen', scenario, 5)).to.equal(true);
    expect(assumptionsHold('sklearn TheilSen', scenario, 20)).to.equal(false);
  });

  it('give every method at least one seed, and none more than the setting has', () => {
    for (const setting of settingsFor({ seeds: 3, quick: false })) {
      const counts = [...methodsOf(setting).values()];
      expect(Math.min(...counts)).to.be.at.least(1);
      expect(Math.max(...counts)).to.be.at.most(setting.seeds);
    }
  });

  it('replace what was measured before for the same method in the same place', () => {
    const [first, other] = [cell(OURS, [1]), cell('sklearn Huber', [1])];
    expect(put([first, other], cell(OURS, [2])).map(({ errors }) => errors)).to.deep.equal([[2], [1]]);
    expect(put([first], cell(OURS, [2], { rows: 10 }))).to.have.length(2);
  });
});
