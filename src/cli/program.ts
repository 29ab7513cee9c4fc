/** The command line. Commands are loaded on demand, so that help appears at once. */
import { Command, CommanderError, Option } from 'commander';
import { version } from '../version.ts';
import { addFitFlags, NULLS } from './flags/fitFlags.ts';
import { addChunkFlags, addWatchFlags } from './flags/watchFlags.ts';
import { outliveReaders } from './outliveReaders.ts';
import { inFlags } from './render/inFlags.ts';
import { visibleLines } from './render/text.ts';

const FILES_OR_STREAM =
  'files or globs: Arrow, Parquet, CSV or NDJSON, recognised by content; or - for standard input (an Arrow stream, CSV or NDJSON)';

const nulls = () => new Option('--nulls <policy>', NULLS).choices(['auto', 'error', 'skip']).default('auto');

function commands(): Command {
  const program = new Command('sluice')
    .description('Robust regression on large Arrow, Parquet, CSV and NDJSON files')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(sluice help COMMAND lists its flags)');

  addFitFlags(
    program
      .command('fit')
      .description(
        "estimate a regression; a linear one, unless a loss is given, by the mean of Huber's fit and a bisquare fit",
      )
      .argument('[data...]', FILES_OR_STREAM)
      .requiredOption('--target <column>', 'column to explain'),
  )
    .option(
      '--checkpoint <folder>',
      'keep what the steps find, so that the same command goes on where it was killed; a private run needs --ledger too',
    )
    .option('--out <model.json>', 'write the model')
    .option('--report <report.html>', 'write an HTML report on the model')
    .option('--trace <iterates.arrow>', 'write the coefficients after every step: .arrow, .parquet, .csv or .ndjson')
    .action(async (data, flags) => (await loaded(import('./commands/fitCommand.ts'))).fitCommand(data, flags));

  addChunkFlags(
    addFitFlags(
      program
        .command('plan')
        .description('print what fit would do, from the number of rows and features alone')
        .requiredOption('--target <column>', 'column to explain')
        .option('--width <p>', 'number of features')
        .option('--watch', 'print what watch would do for a stream, which needs no --rows'),
    ).optionsGroup('With --watch:'),
  ).action(async flags => (await loaded(import('./commands/planCommand.ts'))).planCommand(flags));

  addWatchFlags(
    program
      .command('watch')
      .description(
        "keep an estimate current while rows arrive; of a linear regression, unless a loss is given, Huber's fit",
      )
      .argument(
        '<source>',
        '- for standard input (an Arrow stream, CSV or NDJSON), a folder into which files arrive, a growing .ndjson file, nats://host/stream or kafka://host/topic',
      )
      .requiredOption('--target <column>', 'column to explain'),
  ).action(async (source, flags) => (await loaded(import('./commands/watchCommand.ts'))).watchCommand(source, flags));

  program
    .command('predict')
    .description('predict with a model')
    .argument('<model>', 'a model file written by fit --out')
    .argument('<data...>', FILES_OR_STREAM)
    .option('--out <predictions>', 'file to write: .arrow, .parquet, .csv or .ndjson; - for standard output', '-')
    .option('--keep <a,b,c>', 'columns of the data to carry along, before the predictions')
    .addOption(new Option('--format <name>', 'format of --out - (default: ndjson)').choices(['arrow', 'csv', 'ndjson']))
    .addOption(nulls())
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .action(async (model, data, flags) =>
      (await loaded(import('./commands/predictCommand.ts'))).predictCommand(model, data, flags),
    );

  program
    .command('evaluate')
    .description('measure how well a model predicts')
    .argument('<model>', 'a model file written by fit --out')
    .argument('<data...>', FILES_OR_STREAM)
    .addOption(nulls())
    .option('--weights <column>', 'column of row weights, used in every mean, share and quantile')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .action(async (model, data, flags) =>
      (await loaded(import('./commands/evaluateCommand.ts'))).evaluateCommand(model, data, flags),
    );

  program
    .command('inspect')
    .description('print the schema, ranges, nulls, tails and sort order of a file')
    .argument('<data...>', FILES_OR_STREAM)
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .action(async (data, flags) => (await loaded(import('./commands/inspectCommand.ts'))).inspectCommand(data, flags));

  program
    .command('ledger')
    .description('verify a ledger file and print what its private runs have spent')
    .argument('<file>', 'a ledger file written by fit --ledger')
    .option('--holds <hash>', 'fail if the line with this hash, noted earlier, is missing')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .action(async (file, flags) => (await loaded(import('./commands/ledgerCommand.ts'))).ledgerCommand(file, flags));

  addFitFlags(
    program
      .command('audit')
      .description('replay synthetic neighbouring data sets through the private pipeline that fit would run')
      .requiredOption('--target <column>', 'column to explain')
      .option('--width <p>', 'number of features')
      .option('--pairs <k>', 'number of neighbouring pairs to replay')
      .option('--draws <k>', 'number of noise draws for the lower bound on mu'),
  ).action(async flags => (await loaded(import('./commands/auditCommand.ts'))).auditCommand(flags));

  program
    .command('reproduce')
    .description("run the paper's simulations: tables, charts and a verdict for each")
    .argument('[figures...]', 'plot1 ... plot7, private-sgd, contamination, lower-bound, rates, or all', ['all'])
    .option('--seeds <k>', 'number of samples per figure', '20')
    .option('--out <folder>', 'folder for results; a later run continues from what is there', 'out/reproduction')
    .option('--page <page.md>', 'Markdown page with all figures (default: reproduction.md in the results folder)')
    .option('--threads <n>', 'number of processes (default: as many as the machine runs in parallel)')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'show no progress')
    .action(async (names, flags) =>
      (await loaded(import('./commands/reproduceCommand.ts'))).reproduceCommand(names, flags),
    );
  return program;
}

/** 128 plus the signal number, by convention. */
const ENDINGS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Loads a command and makes it remove unfinished files when a signal ends it. While no file is unfinished there are no
 * handlers, so a signal ends the process at once, even in the middle of work that never yields to the event loop.
 */
async function loaded<Command>(command: Promise<Command>): Promise<Command> {
  const found = await command;
  const { whileUnfinished } = await import('./commands/whileUnfinished.ts');
  whileUnfinished(removeUnfinished => {
    const handlers = Object.entries(ENDINGS).map(([signal, exitCode]) => {
      const end = (): never => {
        removeUnfinished();
        process.exit(exitCode);
      };
      process.once(signal, end);
      return () => process.off(signal, end);
    });
    return () => {
      for (const off of handlers) off();
    };
  });
  return found;
}

/** Runs the command that the arguments name. */
export async function run(args: readonly string[]): Promise<void> {
  outliveReaders(process);
  try {
    await commands().parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** 2 for what the user can fix, with a message that says how; 1 for a bug, with the stack to report it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Error && error.name === 'ArgumentError') {
    process.stderr.write(`sluice: ${visibleLines(inFlags(error.message))}\n`);
    return 2;
  }
  process.stderr.write(`sluice: this is a bug; please report it\n${error instanceof Error ? error.stack : error}\n`);
  return 1;
}
