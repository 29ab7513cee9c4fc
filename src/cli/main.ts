#!/usr/bin/env node
/** The command line. Commands are loaded when they are asked for, so that help comes at once. */
import { Command, CommanderError, Option } from 'commander';
import { version } from '../version.ts';
import { addFitFlags } from './fitFlags.ts';

const FILES = 'files or globs: Arrow, Parquet, CSV or NDJSON, by content';

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
    .argument('[data...]', `${FILES}; or - for standard input (an Arrow stream, CSV or NDJSON)`)
    .requiredOption('--target <column>', 'column to explain'),
)
  .option('--out <model.json>', 'write the model')
  .action(async (data, flags) => (await import('./fitCommand.ts')).fitCommand(data, flags));

addFitFlags(
  program
    .command('plan')
    .description('print what fit would do with so many rows, without reading data')
    .requiredOption('--target <column>', 'column to explain')
    .requiredOption('--width <p>', 'number of features'),
).action(async flags => (await import('./planCommand.ts')).planCommand(flags));

program
  .command('predict')
  .description('predict with a model')
  .argument('<model>', 'a file that fit --out wrote')
  .argument('<data...>', FILES)
  .requiredOption('--out <predictions>', 'file to write: .arrow, .parquet, .csv or .ndjson')
  .addOption(nulls())
  .option('--quiet', 'no progress')
  .action(async (model, data, flags) =>
    (await import('./predictCommand.ts')).predictCommand(model, data, flags),
  );

program
  .command('evaluate')
  .description('measure how well a model predicts')
  .argument('<model>', 'a file that fit --out wrote')
  .argument('<data...>', FILES)
  .addOption(nulls())
  .option('--json', 'print one JSON document')
  .action(async (model, data, flags) =>
    (await import('./evaluateCommand.ts')).evaluateCommand(model, data, flags),
  );

program
  .command('inspect')
  .description('schema, ranges, nulls, tails and order of a file')
  .argument('<data...>', FILES)
  .option('--json', 'print one JSON document')
  .action(async (data, flags) => (await import('./inspectCommand.ts')).inspectCommand(data, flags));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    const { removeUnfinished } = await import('../index.ts');
    removeUnfinished();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
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
    process.stderr.write(`sluice: ${error.message}\n`);
    return 2;
  }
  process.stderr.write(
    `sluice: this is a bug; please report it\n${error instanceof Error ? error.stack : error}\n`,
  );
  return 1;
}
