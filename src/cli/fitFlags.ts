/** The flags of `sluice fit`, which `plan` shares; what they mean is settled in fitRequest.ts. */
import { type Command, Option } from 'commander';
import type { EstimateOptions } from '../index.ts';

export interface FitFlags {
  readonly target: string;
  readonly features?: string;
  readonly categorical?: readonly string[];
  readonly loss: string;
  readonly ridge?: string;
  readonly intercept: boolean;
  readonly nulls?: 'error' | 'skip';
  readonly rows?: string;
  readonly width?: string;
  readonly method: NonNullable<EstimateOptions['method']>;
  readonly set: 'none' | 'l2' | 'l1' | 'box';
  readonly radius?: string;
  readonly step?: string;
  readonly momentum?: string;
  readonly start?: string;
  readonly aggregate?: string;
  readonly failure: string;
  readonly blocks?: string;
  readonly mode: 'fresh' | 'full' | 'auto';
  readonly steps?: string;
  readonly schedule?: 'uniform' | 'geometric';
  readonly theorem?: string;
  readonly given?: readonly string[];
  readonly order?: 'shuffle' | 'as-is';
  readonly orderSeed?: string;
  readonly scratch?: string;
  readonly weights?: string;
  readonly holdout?: string;
  readonly sql?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly bounds?: string;
  readonly normBound?: string;
  readonly clip?: string;
  readonly tail?: string;
  readonly rowLength?: string;
  readonly moments?: 'auto' | 'yes' | 'no';
  readonly calibration?: 'exact' | 'parallel' | 'paper' | 'auto';
  readonly ledger?: string;
  readonly dataset?: string;
  readonly budget?: string;
  readonly unit?: string;
  readonly maxPerUnit?: string;
  readonly acceptLargeDelta?: boolean;
  readonly seed?: string;
  readonly threads?: string;
  readonly out?: string;
  readonly report?: string;
  readonly trace?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addFitFlags(command: Command): Command {
  const choice = (
    flags: string,
    description: string,
    values: readonly string[],
    byDefault?: string,
  ): Option => {
    const option = new Option(flags, description).choices([...values]);
    return byDefault === undefined ? option : option.default(byDefault);
  };
  return command
    .optionsGroup('Data:')
    .option('--sql <query>', 'read the result of a query through embedded DuckDB instead of files')
    .option(
      '--features <a,b,c>',
      'columns to regress on (default: every number or boolean but the target and the row index of pandas)',
    )
    .option(
      '--categorical <column=A|B…>',
      'one 0/1 feature per declared level of a text column; levels that are not declared are its reference together, so leave out the most frequent one; repeatable',
      collect,
    )
    .option(
      '--weights <column>',
      'how much each row counts in the estimate; intervals are those of so many different rows, not of copies',
    )
    .option('--holdout <share>', 'share of the rows that no step sees; the model is evaluated on them')
    .addOption(
      choice('--nulls <policy>', 'a row with a null or a number that is not finite', ['error', 'skip']),
    )
    .option('--rows <n>', 'declared number of rows, for streams')
    .addOption(choice('--order <order>', 'order in which rows enter the steps', ['shuffle', 'as-is']))
    .option('--order-seed <s>', 'fixes the shuffle')
    .option('--scratch <folder>', 'where the shuffle may put a temporary file')
    .optionsGroup('Estimation:')
    .option(
      '--loss <name>',
      'squared, logistic, poisson, pseudo-huber[:q], geman-mcclure[:q], tukey[:c] or auto; q and c in units of the target, 1 unless given',
      'auto',
    )
    .option('--ridge <gamma>', 'adds gamma/2 ||theta||^2; with --epsilon, theta in units of --bounds')
    .option('--no-intercept', 'without a constant')
    .addOption(
      choice(
        '--method <name>',
        'how to descend (auto: Newton steps by the curvature of a pilot; gradient and nesterov: in coordinates that it makes round, or as they are with --step)',
        ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'],
        'auto',
      ),
    )
    .addOption(choice('--set <kind>', 'set of allowed coefficients', ['none', 'l2', 'l1', 'box'], 'none'))
    .option('--radius <d>', 'size of the set: the norm, or for a box every coefficient, is at most this')
    .option('--step <eta>', 'step size (default: from a pilot)')
    .option('--momentum <lambda>', "momentum of --method nesterov, or 'increasing'")
    .option('--start <model.json>', 'begin at the coefficients of a model that fit --out wrote')
    .option(
      '--aggregate <how>',
      'auto, median-of-means, mean or huber[:contamination] (default: auto, the mean where a pilot chose loss and curvature, and in a private run)',
    )
    .option('--failure <zeta>', 'probability that the median of means may fail', '0.05')
    .option('--blocks <b>', 'blocks of the median of means, or of the intervals (default: from --failure)')
    .addOption(
      choice(
        '--mode <mode>',
        "fresh rows in every step, or all rows in each; of more than 10,000 rows full keeps the pilot's out of the steps, which auto may let them see",
        ['fresh', 'full', 'auto'],
        'auto',
      ),
    )
    .option('--steps <t>', 'number of steps')
    .addOption(
      choice(
        '--schedule <kind>',
        'sizes of fresh chunks (default: geometric; in a private run, by predicted error)',
        ['uniform', 'geometric'],
      ),
    )
    .option(
      '--theorem <name>',
      'take every parameter from a theorem of the paper, with its conditions checked',
    )
    .option(
      '--given <name=value,…>',
      'what the theorem needs and no other flag says, such as smoothness=1,eigenvalues=1|1|0.5; repeatable',
      collect,
    )
    .optionsGroup('Privacy:')
    .option('--epsilon <e>', 'make the run (epsilon, delta)-differentially private')
    .option('--delta <d>', 'its delta, below 1/n')
    .option(
      '--bounds <spec>',
      "declared range of every feature and the target: 'x1:-1..1,y:0..10', or a JSON file; rows are moved into it",
    )
    .option('--norm-bound <l>', 'declared bound of ||x||_2, instead of ranges for the features')
    .option('--clip <c>', "bound of one row's gradient, in scaled units, where loss and bounds give none")
    .option(
      '--row-length <l>',
      'rows that are longer, in scaled units, count less, or none (default: as long as rows of features that fill a fifth of their bounds)',
    )
    .addOption(
      choice(
        '--moments <when>',
        'whether to release second moments first and take the steps in their coordinates (default: auto, by predicted error)',
        ['auto', 'yes', 'no'],
      ),
    )
    .option(
      '--tail <k>',
      'how many of the last iterates are averaged (default: by predicted error; 1 with --steps)',
    )
    .addOption(
      choice('--calibration <name>', 'how the noise is calibrated (default: auto)', [
        'exact',
        'parallel',
        'paper',
        'auto',
      ]),
    )
    .option('--ledger <file>', 'append-only budget file, charged before noise is drawn')
    .option('--dataset <name>', 'declared name of the data, under which the ledger adds runs up')
    .option('--budget <epsilon>', 'the most that all runs on the data set may spend together, at this delta')
    .option('--unit <column>', 'number of the person behind a row, who is protected with all rows')
    .option('--max-per-unit <k>', 'rows of a unit that count; the rest get a zero gradient')
    .option('--accept-large-delta', 'allow a delta of 1/n or more')
    .option('--seed <s>', 'simulation: noise that can be drawn again, so the run is NOT PRIVATE')
    .optionsGroup('Running:')
    .option('--threads <n>', 'threads to compute with (default: as many as the machine runs at a time)')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'no progress');
}

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
