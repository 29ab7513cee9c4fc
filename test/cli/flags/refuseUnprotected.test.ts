import { expect } from 'chai';
import { Command } from 'commander';
import { addFitFlags, type FitFlags } from '../../../src/cli/flags/fitFlags.ts';
import { refuseMoments, refuseUnprotected } from '../../../src/cli/flags/refuseUnprotected.ts';
import { ArgumentError } from '../../../src/index.ts';

const flagsOf = (...args: readonly string[]): FitFlags =>
  addFitFlags(new Command())
    .parse(['--epsilon', '1', ...args], { from: 'user' })
    .opts<FitFlags>();

describe('refuseUnprotected', () => {
  const refuse = (...args: readonly string[]) => refuseUnprotected(flagsOf('--delta', '1e-6', ...args));

  it('lets a usual request pass', () => {
    refuse();
    refuse('--unit', 'person', '--max-per-unit', '2', '--calibration', 'exact');
    refuse('--ledger', 'l.jsonl', '--dataset', 'people', '--budget', '3');
  });

  it('refuses a private run without a delta', () => {
    expect(() => refuseUnprotected(flagsOf())).to.throw(ArgumentError, '--epsilon needs --delta');
  });

  it('refuses what is not private or makes no sense, by the name of the flag', () => {
    const cases: readonly (readonly [flags: readonly string[], text: string])[] = [
      [['--nulls', 'error'], '--nulls error would reveal the contents of rows'],
      [['--sql', 'SELECT 1'], '--sql may combine several rows into one'],
      [['--holdout', '0.1'], '--holdout does not go with a private run'],
      [['--weights', 'z'], '--weights is not for private runs'],
      [['--start', 'model.json'], '--start is not for private runs'],
      [['--aggregate', 'huber'], '--aggregate huber has no bounded sensitivity'],
      [['--unit', 'person'], '--unit and --max-per-unit go together'],
      [['--max-per-unit', '2'], '--unit and --max-per-unit go together'],
      [['--loss', 'poisson', '--clip', '1'], 'give --step ETA, or --set l2'],
      [['--calibration', 'paper', '--aggregate', 'median-of-means'], '--calibration paper is for means'],
      [
        ['--calibration', 'paper', '--unit', 'person', '--max-per-unit', '2'],
        '--calibration paper protects single rows',
      ],
      [['--calibration', 'exact', '--mode', 'fresh'], 'exact goes with --mode full'],
      [['--calibration', 'parallel', '--mode', 'full'], 'parallel goes with --mode fresh'],
      [['--ledger', 'l.jsonl'], '--ledger needs --dataset'],
      [['--budget', '3'], '--dataset and --budget go with --ledger'],
    ];
    for (const [flags, text] of cases)
      expect(() => refuse(...flags), flags.join(' ')).to.throw(ArgumentError, text);
  });
});

describe('refuseMoments', () => {
  const refuse = (args: readonly string[], rereadable = true) => refuseMoments(flagsOf(...args), rereadable);

  it('refuses the flags that second moments do not go with, where these are asked for', () => {
    const asked = ['--moments', 'yes'];
    refuse(asked);
    for (const other of [
      ['--clip', '1'],
      ['--row-length', '2'],
      ['--step', '0.5'],
      ['--ridge', '0.1'],
      ['--aggregate', 'median-of-means'],
      ['--mode', 'fresh'],
      ['--calibration', 'paper'],
    ]) {
      expect(() => refuse([...asked, ...other]), other.join(' ')).to.throw(
        ArgumentError,
        `--moments yes does not go with ${other.join(' ')}`,
      );
      refuse(other);
    }
    expect(() => refuse(asked, false)).to.throw(ArgumentError, 'a stream, which is read once');
  });
});
