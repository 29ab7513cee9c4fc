#!/usr/bin/env node
/** The command line. Commands are loaded when they are asked for, so that help comes at once. */
import { Command, CommanderError, Option } from 'commander';
import { version } from '../version.ts';
import { addFitFlags } from './fitFlags.ts';
import { inFlags } from './inFlags.ts';
import { outliveReaders } from './outliveReaders.ts';
import { visibleLines } from './visible.ts';

const FILES_OR_STREAM =
  'files or globs: Arrow, Parquet, CSV or NDJSON, by content; or - for standard input (an Arrow stream, CSV or NDJSON)';

const program = new Command('sluice')
  .description('Robust regression on large Arrow, Parquet, CSV and NDJSON files')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(sluice help COMMAND lists its flags)');

const nulls = () =>
  new Option('--nulls <policy>', 'a row with a null or a number that is not finite')
    .choices(['error', 'skip'])
    .default('error');

addFitFlags(
  program
    .command('fit')
    .description('estimate a regression')
    .argument('[data...]', FILES_OR_STREAM)
    .requiredOption('--target <column>', 'column to explain'),
)
  .option('--out <model.json>', 'write the model')
  .option('--report <report.html>', 'write a page about the model, for people')
  .option(
    '--trace <iterates.arrow>',
    'write the coefficients after every step: .arrow, .parquet, .csv or .ndjson',
  )
  .action(async (data, flags) => (await loaded(import('./fitCommand.ts'))).fitCommand(data, flags));

addFitFlags(
  program
    .command('plan')
    .description('print what fit would do with so many rows, without reading data')
    .requiredOption('--target <column>', 'column to explain')
    .option('--width <p>', 'number of features'),
).action(async flags => (await loaded(import('./planCommand.ts'))).planCommand(flags));

program
  .command('predict')
  .description('predict with a model')
  .argument('<model>', 'a file that fit --out wrote')
  .argument('<data...>', FILES_OR_STREAM)
  .requiredOption('--out <predictions>', 'file to write: .arrow, .parquet, .csv or .ndjson')
  .addOption(nulls())
  .option('--json', 'print one JSON document')
  .option('--quiet', 'no progress')
  .action(async (model, data, flags) =>
    (await loaded(import('./predictCommand.ts'))).predictCommand(model, data, flags),
  );

program
  .command('evaluate')
  .description('measure how well a model predicts')
  .argument('<model>', 'a file that fit --out wrote')
  .argument('<data...>', FILES_OR_STREAM)
  .addOption(nulls())
  .option('--weights <column>', 'how much each row counts in every mean, share and quantile')
  .option('--json', 'print one JSON document')
  .option('--quiet', 'no progress')
  .action(async (model, data, flags) =>
    (await loaded(import('./evaluateCommand.ts'))).evaluateCommand(model, data, flags),
  );

program
  .command('inspect')
  .description('schema, ranges, nulls, tails and order of a file')
  .argument('<data...>', FILES_OR_STREAM)
  .option('--json', 'print one JSON document')
  .option('--quiet', 'no progress')
  .action(async (data, flags) => (await loaded(import('./inspectCommand.ts'))).inspectCommand(data, flags));

program
  .command('ledger')
  .description('verify a ledger of private runs, and print what they have spent')
  .argument('<file>', 'a file that fit --ledger wrote')
  .option('--holds <hash>', 'refuse the file if the line with this hash, noted earlier, is gone')
  .option('--json', 'print one JSON document')
  .option('--quiet', 'no progress')
  .action(async (file, flags) => (await loaded(import('./ledgerCommand.ts'))).ledgerCommand(file, flags));

addFitFlags(
  program
    .command('audit')
    .description('replay neighbouring data sets, made up, through the private pipeline that fit would run')
    .requiredOption('--target <column>', 'column to explain')
    .option('--width <p>', 'number of features')
    .option('--pairs <k>', 'pairs of neighbours to replay')
    .option('--draws <k>', 'draws of the noise for the lower bound on mu'),
).action(async flags => (await loaded(import('./auditCommand.ts'))).auditCommand(flags));

program
  .command('reproduce')
  .description("the paper's simulations: tables, pictures and a verdict each")
  .argument('[figures...]', 'plot1 ... plot7, private-sgd, contamination, lower-bound, rates, or all', [
    'all',
  ])
  .option('--seeds <k>', 'how many samples of each', '20')
  .option('--out <folder>', 'where results go; a second run goes on with what is there', 'out/reproduction')
  .option('--page <page.md>', 'a page of all figures (default: reproduction.md among the results)')
  .option('--threads <n>', 'processes at a time (default: as many as the machine runs)')
  .option('--json', 'print one JSON document')
  .option('--quiet', 'no progress')
  .action(async (names, flags) =>
    (await loaded(import('./reproduceCommand.ts'))).reproduceCommand(names, flags),
  );

outliveReaders(process);

/** By custom 128 and the number of the signal. */
const ENDINGS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * A command, told to leave nothing half-written where a signal ends it. At other times signals end it at once, also in
 * the midst of work that lets nobody else have a turn.
 */
async function loaded<Command>(command: Promise<Command>): Promise<Command> {
  const found = await command;
  const { whileUnfinished } = await import('./whileUnfinished.ts');
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

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** 2 for what the user can mend, with a message that says how; 1 for a bug, with all there is to report it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Error && error.name === 'ArgumentError') {
    process.stderr.write(`sluice: ${visibleLines(inFlags(error.message))}\n`);
    return 2;
  }
  process.stderr.write(
    `sluice: this is a bug; please report it\n${error instanceof Error ? error.stack : error}\n`,
  );
  return 1;
}
