/**
 * More than a hundred fits whose model files must stay as they are, to the last byte: coefficients, errors, intervals,
 * notes, choices, plan, ledger and steps. What a fit prints is not compared. `test/vectors/sameFits.json` has the hash
 * of each file, and what can be read of it: the model, in which hashes stand for lists of records.
 *
 *     npx tsx test/support/sameFits.ts                 compares, and names the fits and the paths that differ
 *         --write                                      makes the vectors anew
 *         --command "node other/dist/cli/main.js"      runs another version; else these sources are bundled and run
 *         --only TEXT                                  takes only the fits whose arguments contain the text
 *         --keep FOLDER                                keeps the model files, so that `diff -r` compares two versions
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mochaGlobalSetup, mochaGlobalTeardown } from './bundledCli.ts';
import { bundleOfCli } from './runCli.ts';
import { writeTable } from './sameFitsData.ts';

/** Arguments of `sluice fit`, a line each; what stands after < is standard input. */
export const FITS: readonly string[] = `
  line.csv --target y
  smooth.ndjson --target y
  wide.parquet --target y
  heavy.csv --target y
  spoilt.arrow --target y
  incomes.csv --target income --features hours,age
  incomes.csv --target income --categorical town=Bath|Lyon
  classes.parquet --target sick --features a,b,c
  counts.csv --target n
  long.parquet --target y --features a,b,c
  long.csv --target yes --features a,b,c --threads 2

  smooth.csv --target y --loss squared
  smooth.csv --target y --loss pseudo-huber:0.02
  heavy.arrow --target y --loss pseudo-huber
  spoilt.csv --target y --loss squared
  spoilt.csv --target y --loss tukey:4.7
  spoilt.csv --target y --loss geman-mcclure:3 --steps 12
  classes.csv --target sick --loss logistic --features a,b,c
  classes.ndjson --target answer --categorical answer=no|yes --loss logistic --features a,b
  counts.parquet --target n --loss poisson
  incomes.csv --target income --loss squared --categorical town=Bath|Lyon|Ulm --no-intercept

  rare.csv --target y
  apart.csv --target y
  apart.csv --target y --loss logistic --ridge 0.05
  bursts.arrow --target n --loss poisson
  codes.csv --target none --features a --loss poisson
  certain.csv --target y
  tiny.csv --target y
  levers.csv --target y --loss squared
  levers.csv --target y --loss pseudo-huber:2
  lengths.csv --target y
  scales.csv --target y
  copies.parquet --target y
  towns.csv --target y --features x,town --categorical town=Bath|Lyon|Ghent|Nowhere
  towns.parquet --target y --features x,town,colour --categorical town=Bath|Lyon|Ulm|Ghent --categorical colour=red|green
  towns.ndjson --target y --features town,x --categorical town=Bath|Lyons|Ghent --loss tukey:5
  towns.arrow --target y --features colour,town --categorical colour=red|blue --categorical town=Bath|Lyon|Ghent --loss squared --ridge 0.1
  twins.csv --target y
  twins.ndjson --target y --ridge 0.01 --loss squared
  twins.parquet --target y --features a,near,always --loss squared
  sorted.csv --target y --features a,b
  sorted.arrow --target y --features a,b --order as-is --mode fresh
  sorted.csv --target y --features a,b --order as-is --mode full --aggregate median-of-means --loss squared
  gaps.csv --target y --nulls skip
  gaps.ndjson --target y --nulls skip --loss squared
  gaps.arrow --target y --features c,a --nulls skip --mode fresh --order-seed 5
  gaps.parquet --target y --nulls skip --holdout 0.2
  cut.csv --target y
  skewed.csv --target y
  growing.csv --target y
  growing.arrow --target y --loss tukey:20
  exact.csv --target y
  codes.csv --target class --features a
  codes.csv --target two --features a
  codes.csv --target same --features a
  seldom.csv --target y
  seldom.parquet --target y --mode fresh

  smooth.csv --target y --features a,b --weights w
  smooth.arrow --target y --features a,b --weights w --loss squared --mode fresh
  weighed.ndjson --target y --weights w
  classes.arrow --target sick --features a,b --weights w --loss logistic
  long.arrow --target y --features a,b --weights w --threads 2

  smooth.csv --target y --ridge 0.5
  smooth.csv --target y --no-intercept --features a,d
  smooth.csv --target y --method gradient --steps 30
  smooth.csv --target y --method gradient --step 0.0001 --steps 25 --loss squared
  smooth.csv --target y --method gradient --step 0.0002 --steps 12 --loss squared
  smooth.parquet --target y --method nesterov --steps 20 --features a,b
  smooth.csv --target y --method nesterov --momentum 0.4 --step 0.05 --features a --steps 15
  smooth.csv --target y --method nesterov --momentum increasing --loss squared --features a,d
  smooth.csv --target y --method frank-wolfe --set l2 --radius 2 --no-intercept --features a,d --steps 40
  smooth.csv --target y --method frank-wolfe --set l1 --radius 1.5 --no-intercept --features a,b,d --loss squared
  smooth.csv --target y --method accelerated-frank-wolfe --set l2 --radius 1 --step 0.05 --no-intercept --features a,d --loss squared
  smooth.csv --target y --set box --radius 0.4 --features a,b
  wide.arrow --target y --set l1 --radius 3 --loss squared
  wide.csv --target y --set l2 --radius 1.5
  wide.csv --target y --aggregate mean --loss squared --mode fresh --blocks 25
  wide.csv --target y --aggregate median-of-means --failure 0.01 --features x1,x2,x3
  heavy.csv --target y --aggregate median-of-means --blocks 11 --mode full --loss squared
  heavy.csv --target y --aggregate huber --loss squared --features a
  classes.csv --target sick --features a,b --loss logistic --aggregate huber:0.05
  long.csv --target y --features a,b,c --mode fresh --schedule uniform --steps 4
  long.ndjson --target y --features a,b --mode full --order-seed other
  long.csv --target y --features a,b --mode full --order as-is --loss squared --holdout 0.1
  smooth.csv --target y --features a,b --start start.json
  counts.csv --target n --features a,b --loss poisson --start farStart.json
  - --target y --features a,b,c --rows 12000 < long.csv
  - --target y --rows 200 --mode fresh < line.arrows
  - --target y --features a,b --rows 1000 --order as-is --mode fresh < smooth.ndjson

  theory.csv --target y --theorem GLMhtGD --failure 0.1 --given smoothness=1,strongConvexity=0.7 --no-intercept
  theory.arrow --target y --theorem htAGD --failure 0.1 --given smoothness=1,strongConvexity=0.7 --no-intercept
  theory.csv --target y --theorem HT_NonAccFW --radius 1.7 --given truthNorm=1.7 --no-intercept
  theory.csv --target y --theorem HT_Ridge_min>0 --failure 0.1 --given eigenvalues=1|0.8|0.7 --given truth=1|1|1 --no-intercept
  theory.csv --target y --theorem Hu_eps_Nester --given smoothness=1,strongConvexity=0.7,contamination=0.01,concentration=0.1 --no-intercept
  ball.csv --target y --theorem UPRidge --radius 0.5 --given gradientRatio=2 --bounds a:-1..1,b:-1..1,y:-1..1 --no-intercept --epsilon 0.9 --delta 1e-6 --seed 1
  ball.csv --target y --theorem Priv_HT_AGD_Smooth --loss pseudo-huber:0.2 --norm-bound 1 --features a,b --bounds y:-10..10 --given lipschitz=0.2,smoothness=0.33 --calibration parallel --no-intercept --epsilon 0.9 --delta 1e-6 --seed 2
  few.csv --target y --theorem Util_Priv_SGD --loss squared --radius 0.7 --given lipschitz=2 --epsilon 0.9 --delta 0.3 --no-intercept --seed 3

  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 1 --delta 1e-6 --seed 1
  people.parquet --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 4 --delta 1e-6 --seed 1
  people.arrow --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 4 --delta 1e-6 --seed other --moments yes
  people.ndjson --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 4 --delta 1e-6 --seed 1 --moments no
  people.csv --target y --bounds x:0..10,y:-10..40 --epsilon 0.05 --delta 1e-6 --seed 1
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1 --loss pseudo-huber:2 --mode full --steps 6 --tail 2
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1 --mode fresh --schedule uniform --steps 4 --order-seed 9
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1 --mode fresh --schedule geometric --order as-is
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1 --loss squared --set l2 --radius 1
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1 --loss squared --clip 0.5 --mode full
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 3 --delta 1e-6 --seed 1 --loss squared
  people.csv --target y --bounds x:0..10,z:0..100000,y:-10..40 --epsilon 2 --delta 1e-6 --seed 1
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 0.8 --delta 1e-6 --seed 1 --calibration paper --steps 2
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 3 --delta 1e-6 --seed 1 --calibration exact --row-length none
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 3 --delta 1e-6 --seed 1 --calibration parallel --mode fresh --row-length 0.9
  people.csv --target y --bounds x:0..10,z:0..100,y:-10..40 --epsilon 8 --delta 1e-6 --seed 1 --unit person --max-per-unit 2
  people.parquet --target y --bounds x:0..10,y:-10..40 --categorical town=Bath|Lyon|Ulm --epsilon 4 --delta 1e-6 --seed 1
  people.arrow --target sick --bounds x:0..10 --categorical town=Bath|Lyon --loss logistic --epsilon 2 --delta 1e-6 --seed 1
  people.csv --target n --bounds x:0..10,n:0..9 --loss poisson --epsilon 4 --delta 1e-6 --seed 1 --set l2 --radius 0.3
  people.csv --target n --bounds x:0..10,n:0..9 --loss poisson --epsilon 4 --delta 1e-6 --seed 1
  people.csv --target n --bounds x:0..10,n:0..9 --loss poisson --epsilon 4 --delta 1e-6 --seed 1 --clip 2 --step 0.2
  ball.csv --target y --features a,b --norm-bound 1 --bounds y:-1..1 --epsilon 2 --delta 1e-6 --seed 1 --no-intercept
  ball.parquet --target y --bounds a:-1..1,b:-1..1,y:-1..1 --epsilon 2 --delta 1e-6 --seed 1 --ridge 0.1
  ball.csv --target y --bounds a:-1..1,b:-1..1,y:-1..1 --epsilon 2 --delta 1e-6 --seed 1 --aggregate median-of-means --blocks 5 --loss pseudo-huber:0.3 --steps 3
  ball.csv --target y --bounds a:-1..1,b:-1..1,y:-1..1 --epsilon 2 --delta 1e-6 --seed 1 --method frank-wolfe --set l2 --radius 0.6 --no-intercept --loss squared --steps 10
  ball.csv --target y --bounds a:-1..1,b:-1..1,y:-1..1 --epsilon 2 --delta 1e-6 --seed 1 --method nesterov --momentum 0.3 --step 0.5 --steps 5 --mode full
  gaps.csv --target y --bounds a:-4..4,c:0..40,y:0..30 --epsilon 5 --delta 1e-5 --seed 1 --nulls skip
  - --target y --bounds x:0..10,z:0..100,y:-10..40 --rows 5000 --epsilon 2 --delta 1e-6 --seed 1 < people.csv
  long.arrow --target y --bounds a:-5..5,b:0..3,y:-20..40 --epsilon 1 --delta 1e-6 --seed 1 --threads 2
`
  .split('\n')
  .map(line => line.trim())
  .filter(line => line !== '');

/** Models that fits start from, which no fit has made. */
const STARTS: Readonly<Record<string, object>> = {
  'start.json': startOf('y', 'squared', { a: 0.9, b: -0.4 }, 6),
  'farStart.json': startOf('n', 'poisson', { a: -3, b: 4 }, 2),
};

function startOf(
  target: string,
  loss: string,
  coefficients: Readonly<Record<string, number>>,
  intercept: number,
): object {
  const features = Object.keys(coefficients);
  return {
    format: 'sluice-model',
    version: 1,
    loss: { name: loss },
    target,
    features,
    coefficients,
    intercept,
  };
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const vectors = join(project, 'test/vectors/sameFits.json');

/** What the vectors have of a fit. */
interface Fitted {
  /** Of the file's text, without the package's version. */
  readonly hash: string;
  /** The file's content, in which hashes stand for lists of records: steps, and what a ledger lists. */
  readonly model: unknown;
}

/** How a fit differs from the vectors: a line for each path. */
export interface Differing {
  readonly fit: string;
  readonly paths: readonly string[];
}

/** Fits by a command line, two at a time, and says which fits differ from the vectors. */
export async function differingFits(command: readonly string[], fits = FITS, keep?: string): Promise<Differing[]> {
  const expected: Readonly<Record<string, Fitted>> = JSON.parse(readFileSync(vectors, 'utf8'));
  const texts = await modelsOf(command, fits, keep);
  return fits.flatMap(fit => {
    const [before, found] = [expected[fit], texts.get(fit)!];
    if (before === undefined) return [{ fit, paths: ['is not among the vectors; --write makes them anew'] }];
    if (found instanceof Error) return [{ fit, paths: [found.message] }];
    const after = fittedOf(found);
    if (after.hash === before.hash) return [];
    const paths = differences(before.model, after.model);
    return [{ fit, paths: paths.length > 0 ? paths : ['the order of keys or the spacing alone'] }];
  });
}

async function writeVectors(command: readonly string[]): Promise<void> {
  const texts = await modelsOf(command, FITS);
  const made = FITS.map(fit => {
    const text = texts.get(fit)!;
    if (text instanceof Error) throw new Error(`${fit}\n${text.message}`);
    return `${JSON.stringify(fit)}: ${JSON.stringify(fittedOf(text))}`;
  });
  // A line each, so that a change of one fit is a change of one line.
  writeFileSync(vectors, `{\n${made.join(',\n')}\n}\n`);
}

/** The text of every fit's model file, or why there is none. */
async function modelsOf(
  command: readonly string[],
  fits: readonly string[],
  keep?: string,
): Promise<ReadonlyMap<string, string | Error>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-same-fits-'));
  try {
    for (const [name, start] of Object.entries(STARTS)) writeFileSync(join(folder, name), JSON.stringify(start));
    copyFileSync(join(project, 'data/incomes.csv'), join(folder, 'incomes.csv'));
    const tables = new Set(fits.map(fit => (fit.startsWith('- ') ? fit.split(' < ')[1]! : fit.split(' ')[0]!)));
    for (const table of tables) {
      if (table !== 'incomes.csv') writeTable(join(folder, table));
    }
    if (keep !== undefined) mkdirSync(keep, { recursive: true });
    const texts = new Map<string, string | Error>();
    const waiting = fits.entries();
    const lane = async (): Promise<void> => {
      for (const [place, fit] of waiting) {
        const out = join(folder, `model${place}.json`);
        const problem = await run(command, fit, folder, out);
        const text = problem === null ? readFileSync(out, 'utf8') : new Error(problem);
        texts.set(fit, text);
        const name = FITS.indexOf(fit) + 1;
        if (keep !== undefined) writeFileSync(join(keep, `${name}.json`), `${fit}\n${text}`);
      }
    };
    await Promise.all([lane(), lane()]);
    return texts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a fit in the folder of its tables; what it says where it fails. */
function run(command: readonly string[], fit: string, folder: string, out: string): Promise<string | null> {
  const [line, input] = fit.split(' < ') as [string, string?];
  const [program, ...first] = command as [string, ...string[]];
  const threads = line.includes('--threads') ? [] : ['--threads', '1'];
  return new Promise((done, fail) => {
    const child = spawn(program, [...first, 'fit', ...line.split(' '), ...threads, '--quiet', '--out', out], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', part => {
      said += part;
    });
    child.on('error', fail);
    child.on('close', code => done(code === 0 ? null : `exit code ${code}: ${said.trim()}`));
    child.stdin.on('error', () => {});
    child.stdin.end(input === undefined ? '' : readFileSync(join(folder, input)));
  });
}

function fittedOf(written: string): Fitted {
  // A new version of the package is no other fit.
  const text = written.replace(/"createdWith": "sluice [^"]*"/, '"createdWith": "sluice"');
  return { hash: hashOf(text), model: readable(JSON.parse(text)) };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readable(item)]));
  }
  const areRecords = value.length > 1 && value.every(item => typeof item === 'object' && !Array.isArray(item));
  return areRecords ? `${value.length} records ${hashOf(JSON.stringify(value)).slice(0, 16)}` : value.map(readable);
}

function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (isNested(before) && isNested(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap(key => differences(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  const texts = [before, after].map(value => JSON.stringify(value) ?? 'nothing');
  return texts[0] === texts[1] ? [] : [`${path}: ${texts[0]} became ${texts[1]}`];
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      command: { type: 'string' },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
    },
  });
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  if (values.command === undefined) await mochaGlobalSetup();
  try {
    // The fits run in a folder of their own, so that paths of the command must not depend on it.
    const command = values.command
      ?.split(' ')
      .map((word, k) => (k > 0 && word.includes('/') ? resolve(word) : word)) ?? [process.execPath, ...bundleOfCli()];
    if (values.write) return await writeVectors(command);
    const fits = FITS.filter(fit => fit.includes(values.only));
    const found = await differingFits(command, fits, values.keep);
    for (const { fit, paths } of found) say(`${fit}\n${paths.map(path => `    ${path}`).join('\n')}`);
    say(`${found.length} of ${fits.length} fits differ`);
    if (found.length > 0) process.exitCode = 1;
  } finally {
    if (values.command === undefined) mochaGlobalTeardown();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
