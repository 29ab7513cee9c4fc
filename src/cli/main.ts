#!/usr/bin/env node
/** The command line. Commands are loaded when they are asked for, so that help comes at once. */
import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { addFitFlags } from './fitFlags.ts';

const program = new Command('sluice')
  .description('Robust regression on large Arrow, Parquet, CSV and NDJSON files')
  .version(version)
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })
  .showHelpAfterError('(sluice help COMMAND lists its flags)');

addFitFlags(
  program
    .command('fit')
    .description('estimate a regression')
    .argument('[data...]', 'files, globs, or - for standard input (an Arrow stream, CSV or NDJSON)')
    .requiredOption('--target <column>', 'column to explain'),
)
  .option('--out <model.json>', 'write the model')
  .action(async (data, flags) => (await import('./fitCommand.ts')).fitCommand(data, flags));

addFitFlags(
  program
    .command('plan')
    .description('print what fit would do, without reading data')
    .requiredOption('--target <column>', 'column to explain')
    .requiredOption('--width <p>', 'number of features'),
).action(async flags => (await import('./planCommand.ts')).planCommand(flags));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await exitCodeOf(error);
}

/** 2 for what the user can mend, with a message that says how; 1 for a bug, with all there is to report it. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { ArgumentError } = await import('../index.ts');
  if (error instanceof ArgumentError) {
    process.stderr.write(`sluice: ${error.message}\n`);
    return 2;
  }
  process.stderr.write(
    `sluice: this is a bug; please report it\n${error instanceof Error ? error.stack : error}\n`,
  );
  return 1;
}
