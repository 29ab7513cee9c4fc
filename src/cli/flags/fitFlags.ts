/** The flags of `sluice fit`, which `plan` and `audit` share; fitRequest.ts interprets them. */
import { type Command, Option } from 'commander';
import type { FitRowsOptions } from '../../fit/index.ts';
import type { NullPolicy } from '../../source/index.ts';
import type { Words } from '../../words.ts';

/** What --nulls is for, in every command that has it. */
export const NULLS =
  'rows with a null or a number that is not finite: auto skips them, skip does so with invalid weights and targets too';

/** Flags that are texts, to be parsed. */
type Texts = {
  readonly [Name in
    | Words<'features ridge rows width radius step momentum start aggregate blocks steps theorem orderSeed scratch'>
    | Words<'weights holdout sql epsilon delta bounds normBound clip tail rowLength ledger dataset budget unit'>
    | Words<'maxPerUnit seed threads checkpoint out report trace engine table path id'>]?: string;
};

export interface FitFlags extends Texts {
  readonly target: string;
  readonly categorical?: readonly string[];
  readonly loss: string;
  readonly intercept: boolean;
  readonly nulls?: NullPolicy;
  readonly method: NonNullable<FitRowsOptions['method']>;
  readonly set: 'none' | 'l2' | 'l1' | 'box';
  readonly failure: string;
  readonly mode: 'fresh' | 'full' | 'auto';
  readonly schedule?: 'uniform' | 'geometric';
  readonly given?: readonly string[];
  readonly order?: 'shuffle' | 'as-is';
  readonly moments?: 'auto' | 'yes' | 'no';
  readonly calibration?: 'exact' | 'parallel' | 'paper' | 'auto';
  readonly acceptLargeDelta?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export function choice(flags: string, description: string, values: readonly string[], byDefault?: string): Option {
  const option = new Option(flags, description).choices([...values]);
  return byDefault === undefined ? option : option.default(byDefault);
}

/** Which columns are read, and how: of files and of streams. */
export const addColumnFlags = (command: Command): Command =>
  command
    .option(
      '--features <a,b,c>',
      'columns to regress on (default: every numeric or boolean column except the target and the pandas row index)',
    )
    .option(
      '--categorical <column=A|B…>',
      'one 0/1 feature per declared level of a text column; undeclared levels together form the reference, so leave out the most frequent one; repeatable',
      collect,
    )
    .option('--weights <column>', 'column of row weights; intervals treat a weighted row as one row, not as duplicates')
    .addOption(choice('--nulls <policy>', NULLS, ['auto', 'error', 'skip']));

/** Where rows stay that are not read here: for every command over rows. */
export const addEngineFlags = (command: Command): Command =>
  command
    .option(
      '--engine <where>',
      'where the rows are computed on: local, duckdb (files, --sql, or --table of the database --path), or sc://host:port for Spark (--table or --path; its token in SLUICE_ENGINE_TOKEN)',
    )
    .option('--table <name>', 'table of the engine, such as db.trips')
    .option(
      '--path <path>',
      'Parquet files as Spark sees them, such as s3://bucket/trips; or the database file of DuckDB',
    )
    .option('--id <column>', 'column of different whole numbers, by which rows are assigned to chunks and blocks');

/** What is minimised: over files and streams. */
export const addLossFlags = (command: Command): Command =>
  command
    .optionsGroup('Estimation:')
    .option(
      '--loss <name>',
      'squared, logistic, poisson, pseudo-huber[:q], geman-mcclure[:q], tukey[:c] or auto; q and c in units of the target, 1 if omitted (in a private run, a fifth of the declared scale of the target)',
      'auto',
    )
    .option('--ridge <gamma>', 'add gamma/2 ||theta||^2 to the risk; with --epsilon, theta in units of --bounds')
    .option('--no-intercept', 'fit no constant term');

/** What a private run guarantees: of files and of streams. */
export const addGuaranteeFlags = (command: Command): Command =>
  command
    .optionsGroup('Privacy:')
    .option('--epsilon <e>', 'make the run (epsilon, delta)-differentially private')
    .option('--delta <d>', 'delta of the guarantee: below 1/n, and for a stream at most 1e-6')
    .option(
      '--bounds <spec>',
      "declared range of every feature and the target: 'x1:-1..1,y:0..10', or a JSON file; values outside are clamped to it",
    );

/** Whom a private run protects, and where it is charged: of files and of streams. */
export const addChargeFlags = (command: Command): Command =>
  command
    .option('--ledger <file>', 'append-only ledger file, charged before noise is drawn')
    .option('--dataset <name>', 'declared name of the data set, by which the ledger adds up runs')
    .option('--budget <epsilon>', 'largest epsilon that all runs on the data set may spend together, at this delta')
    .option(
      '--unit <column>',
      'column that identifies the person behind a row, numeric for files; all rows of a person are protected together',
    )
    .option('--max-per-unit <k>', 'most rows of a unit that enter the fit; the rest get a zero gradient')
    .option('--seed <s>', 'seed of the noise, for simulations: reproducible noise makes the run NOT PRIVATE');

export function addFitFlags(command: Command): Command {
  command
    .optionsGroup('Data:')
    .option(
      '--sql <query>',
      'read the rows of one SELECT through embedded DuckDB instead of files: it reads only files that it names',
    );
  addEngineFlags(command);
  addColumnFlags(command)
    .option('--holdout <share>', 'share of the rows to keep out of the fit and evaluate the model on')
    .option('--rows <n>', 'declared number of rows, for streams and for plan and audit')
    .addOption(choice('--order <order>', 'order in which rows are assigned to steps', ['shuffle', 'as-is']))
    .option('--order-seed <s>', 'seed of the shuffle')
    .option('--scratch <folder>', 'folder for temporary files of the shuffle');
  addLossFlags(command)
    .addOption(
      choice(
        '--method <name>',
        'optimisation method (auto: Newton steps with the curvature of a pilot; gradient and nesterov: in coordinates whitened by the pilot, or in the given ones with --step)',
        ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'],
        'auto',
      ),
    )
    .addOption(
      choice('--set <kind>', 'set that the coefficients are constrained to', ['none', 'l2', 'l1', 'box'], 'none'),
    )
    .option('--radius <d>', 'size of the set: bound on the norm, or for a box on every coefficient')
    .option('--step <eta>', 'step size (default: from a pilot)')
    .option('--momentum <lambda>', "momentum of --method nesterov, or 'increasing'")
    .option('--start <model.json>', 'start from the coefficients of a model written by fit --out')
    .option(
      '--aggregate <how>',
      'how to combine row gradients: auto, median-of-means, mean or huber[:contamination] (default: auto, the mean where a pilot chose loss and curvature, and in a private run)',
    )
    .option('--failure <zeta>', 'failure probability of the median of means', '0.05')
    .option('--blocks <b>', 'number of blocks of the median of means, or of the intervals (default: from --failure)')
    .addOption(
      choice(
        '--mode <mode>',
        "fresh rows in every step, or all rows in each; above 10,000 rows, full keeps the pilot's rows out of the steps, while auto may include them",
        ['fresh', 'full', 'auto'],
        'auto',
      ),
    )
    .option('--steps <t>', 'number of steps')
    .addOption(
      choice(
        '--schedule <kind>',
        'sizes of fresh chunks (default: geometric; in a private run, chosen by predicted error)',
        ['uniform', 'geometric'],
      ),
    )
    .option('--theorem <name>', 'take every parameter from a theorem of the paper, and check its conditions')
    .option(
      '--given <name=value,…>',
      'arguments of the theorem that no other flag gives, such as smoothness=1,eigenvalues=1|1|0.5; repeatable',
      collect,
    );
  addGuaranteeFlags(command)
    .option('--norm-bound <l>', 'declared bound on ||x||_2, instead of ranges for the features')
    .option(
      '--clip <c>',
      "clip each row's gradient to this norm, in scaled units, instead of deriving a bound from loss and bounds",
    )
    .option(
      '--row-length <l>',
      'down-weight rows whose norm, in scaled units, is above this; none: no down-weighting (default: the norm of rows whose features fill a fifth of their bounds)',
    )
    .addOption(
      choice(
        '--moments <when>',
        'whether to release second moments first and take the steps in the coordinates they whiten (default: auto, by predicted error)',
        ['auto', 'yes', 'no'],
      ),
    )
    .option('--tail <k>', 'number of last iterates to average (default: by predicted error; 1 with --steps)')
    .addOption(
      choice('--calibration <name>', 'calibration of the noise (default: auto)', [
        'exact',
        'parallel',
        'paper',
        'auto',
      ]),
    );
  return addChargeFlags(command)
    .option('--accept-large-delta', 'allow a delta of 1/n or more')
    .optionsGroup('Running:')
    .option('--threads <n>', 'number of threads (default: as many as the machine runs in parallel)')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .option('--verbose', 'show every note, and what the run chose by itself');
}

/** '--max-per-unit' for maxPerUnit, as commander has it. */
export const flagOf = (key: string): string => `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
