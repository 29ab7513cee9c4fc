/** docs/benchmarks.md: every number in it comes from accuracy.json or results.json. */
import { type Accuracy, type Cell, cellsAt } from './cells.ts';
import { reasonFor } from './reasons.ts';
import { assumptionsHold, isPrivate, OURS, PAPER, SCENARIOS, type Scenario, scenarioNamed } from './settings.ts';
import { type Speed, speedTables } from './speedTables.ts';
import { digits, table, unique, whole } from './tables.ts';
import { median, TARGETS, type Verdict, verdictsOf } from './verdicts.ts';

export function benchmarksDocument(accuracy: Accuracy, speed: Speed): string {
  const verdicts = verdictsOf(accuracy);
  return `# Benchmarks

Made by \`npm run bench:accuracy\` from [accuracy.json](../bench/accuracy.json), which it measures, and [results.json](../bench/results.json), which \`npm run bench\` and \`npm run bench:figures\` measure. Do not edit.

## How near the truth: Sluice and its peers

Last run ${accuracy.measured} on ${accuracy.machine}, with ${Object.entries(accuracy.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(
      ', ',
    )}. Seeds fix the rows of every run, so errors of peers are kept from one run to the next; timings are from one run. Every method sees the same rows, with its default settings, except for as many iterations as it needs and no penalty in scikit-learn's Huber. Errors are ||slopes - true slopes||, without the intercept, and for classes the excess risk; medians over seeds. A ratio is the geometric mean over seeds, since both methods saw the same rows.${mixedNote(accuracy)}

### Targets

${targetTable(verdicts)}

${coverageNote(accuracy)}${lostTable(verdicts)}

### Scenarios

${table(
  ['scenario', 'how it is drawn'],
  SCENARIOS.map(({ name, drawn }) => [name, drawn]),
)}

${PAPER} is theorem htAGD, and where rows are spoilt Hu_eps_Nester, started at 0; they are given the true spectrum and the true share of spoilt rows, and are run even where one of their conditions is unmet.

### Whose assumptions hold where

With 20 features. Least squares and SGD assume no spoilt rows; Huber at most spoilt targets; Tukey no spoilt row of higher leverage than good rows; RANSAC a majority of good rows; Theil-Sen good rows in most subsets of p + 1, which depends on p; River rows in random order. Sluice is compared only with peers whose assumptions hold.

${assumptionTable(accuracy)}

${errorTables(accuracy, verdicts)}

### Private

The same bounds for all, delta = 1e-6, replace-one adjacency; diffprivlib needs no delta. AdaSSP is Algorithm 2 of Wang (2018): as printed, its noise is for adding or removing one row; its first column has the noise for replacing one row, which is what the others protect. OpenDP's Theil-Sen takes one feature. ${PAPER} is theorem Priv_HT_GD_Smooth with the paper's noise, which has no formula above epsilon 0.9. The last column has no noise.

${privateTables(accuracy, verdicts)}

### From a Parquet file to coefficients

${timingTable(accuracy)}

${coverageTable(accuracy)}

## How fast

What is reached and what is not is discussed in [performance](performance.md).

${speedTables(speed)}
`;
}

const targetTable = (verdicts: readonly Verdict[]): string =>
  table(
    ['target', 'met', 'lost'],
    Object.entries(TARGETS).map(([target, text]) => {
      const own = verdicts.filter(verdict => verdict.target === target);
      const met = own.filter(verdict => verdict.met).length;
      return [text, String(met), String(own.length - met)];
    }),
  );

const placeText = ({ scenario, rows, features, epsilon }: Verdict['place']): readonly string[] => [
  epsilon === null || epsilon === undefined ? scenario : `${scenario}, eps ${epsilon}`,
  whole(rows),
  String(features),
];

function lostTable(verdicts: readonly Verdict[]): string {
  const lost = verdicts.filter(({ met }) => !met);
  if (lost.length === 0) return 'No cell is lost.';
  return `The cells that miss their target:

${table(
  ['scenario', 'n', 'p', 'target', 'against', 'ratio or share', 'why'],
  lost.map(verdict => [
    ...placeText(verdict.place),
    verdict.target,
    verdict.against,
    digits(verdict.value),
    reasonFor(verdict),
  ]),
)}`;
}

function assumptionTable({ cells }: Accuracy): string {
  const linear = SCENARIOS.filter(({ kind }) => kind === 'linear');
  const peers = peersIn(cells.filter(({ scenario }) => scenarioNamed(scenario).kind === 'linear'));
  return table(
    ['scenario', ...peers],
    linear.map(scenario => [scenario.name, ...peers.map(peer => (assumptionsHold(peer, scenario, 20) ? 'yes' : ''))]),
  );
}

const peersIn = (cells: readonly Cell[]): readonly string[] =>
  unique(cells.map(({ method }) => method)).filter(method => !method.startsWith(OURS));

/** One table for each number of rows and features; a column each for Sluice, the paper's plan and the peers. */
function errorTables(accuracy: Accuracy, verdicts: readonly Verdict[]): string {
  const kinds = { linear: 'Slopes', logistic: 'Classes (excess risk)' } as const;
  return sizesOf(accuracy, scenario => !isPrivate(scenario))
    .flatMap(([rows, features]) =>
      Object.entries(kinds).map(([kind, title]) => {
        const cells = accuracy.cells.filter(
          cell => cell.rows === rows && cell.features === features && scenarioNamed(cell.scenario).kind === kind,
        );
        if (cells.length === 0) return '';
        return `### ${title}: n = ${whole(rows)}, p = ${features}\n\n${errorTable(cells, verdicts, ['best'])}`;
      }),
    )
    .filter(text => text !== '')
    .join('\n\n');
}

function privateTables(accuracy: Accuracy, verdicts: readonly Verdict[]): string {
  return sizesOf(accuracy, isPrivate)
    .map(([rows, features]) => {
      const cells = accuracy.cells.filter(
        cell => cell.rows === rows && cell.features === features && isPrivate(scenarioNamed(cell.scenario)),
      );
      return `#### n = ${whole(rows)}, p = ${features}\n\n${errorTable(cells, verdicts, ['diffprivlib', 'adaSsp'])}`;
    })
    .join('\n\n');
}

function sizesOf({ cells }: Accuracy, wanted: (scenario: Scenario) => boolean): readonly [number, number][] {
  const own = cells.filter(({ scenario }) => wanted(scenarioNamed(scenario)));
  return unique(own.map(({ rows, features }) => `${rows} ${features}`))
    .map(size => size.split(' ').map(Number) as [number, number])
    .sort(([n, p], [m, q]) => n - m || p - q);
}

function errorTable(
  cells: readonly Cell[],
  verdicts: readonly Verdict[],
  targets: readonly Verdict['target'][],
): string {
  const methods = [OURS, PAPER, ...peersIn(cells)].filter(method => cells.some(cell => cell.method === method));
  const places = cells.filter(({ method }) => method === OURS);
  const verdictText = (place: Cell, target: Verdict['target']): string => {
    const found = verdicts.find(verdict => verdict.place === place && verdict.target === target);
    if (found === undefined) return '';
    return `${found.met ? 'met' : 'lost'}, ${digits(found.value)}`;
  };
  const seedsOf = (method: string): number =>
    Math.max(...cells.filter(cell => cell.method === method).map(({ errors }) => errors.length));
  const fewer = methods.filter(method => seedsOf(method) < seedsOf(OURS));
  const exceptions = fewer.map(method => `${method} ${seedsOf(method)}`).join(', ');
  const errors = table(
    ['scenario', ...methods, ...targets],
    places.map(place => [
      placeText(place)[0]!,
      ...methods.map(method => {
        const found = cellsAt(cells, place).find(cell => cell.method === method);
        return found === undefined ? '' : digits(median(found.errors));
      }),
      ...targets.map(target => verdictText(place, target)),
    ]),
  );
  return `Seeds: ${seedsOf(OURS)}${exceptions === '' ? '' : `; ${exceptions}`}.\n\n${errors}`;
}

function timingTable({ timings }: Accuracy): string {
  if (timings.length === 0) return 'Not measured yet.';
  const { scenario, rows, features } = timings[0]!;
  return `Whole processes, ${scenario}, n = ${whole(rows)}, p = ${features}; medians of the runs.

${table(
  ['method', 'seconds', 'peak MB', 'times Sluice'],
  timings.map(({ method, seconds, peakMegabytes }) => [
    method,
    digits(median(seconds)),
    whole(peakMegabytes),
    digits(median(seconds)! / median(timings.find(item => item.method === OURS)!.seconds)!),
  ]),
)}`;
}

/** An interrupted run leaves cells measured with older sources. */
function mixedNote({ cells, coverage }: Accuracy): string {
  const states = unique([...cells, ...coverage].flatMap(({ code }) => (code === null ? [] : [code]))).length;
  if (states < 2) return '';
  return ` Errors and intervals of Sluice come from ${states} versions of its sources; a complete run measures the older ones again.`;
}

const coverageNote = ({ coverage }: Accuracy): string =>
  coverage.every(({ covered }) => covered === null) ? 'Fits gave no intervals, so none were counted.\n\n' : '';

function coverageTable({ coverage }: Accuracy): string {
  const found = coverage.filter(({ covered }) => covered !== null);
  if (found.length === 0) return '';
  return `### Intervals

The coverage of nominal 95 % intervals. Those of private fits are computed from the declared noise and from what was released: second moments, and a last look at the curvature of the risk and the variance of gradients; effects of up to half the target's range are allowed for in directions that noise hides. They are meant to have at least their nominal coverage; where they do not, the table of missed targets above says why.

${table(
  ['scenario', 'n', 'p', 'samples', 'slopes', 'intercept'],
  found.map(item => [
    ...placeText(item),
    whole(item.replications),
    digits(item.covered!.slopes),
    digits(item.covered!.intercept),
  ]),
)}`;
}
