import { expect } from 'chai';
import { Command } from 'commander';
import { addFitFlags, type FitFlags } from '../../../src/cli/flags/fitFlags.ts';
import { privateOptions } from '../../../src/cli/flags/privateOptions.ts';
import { inFlags } from '../../../src/cli/render/inFlags.ts';
import { privateRequest } from '../../../src/fit/index.ts';
import { ArgumentError } from '../../../src/index.ts';

const flagsOf = (...args: readonly string[]): FitFlags =>
  addFitFlags(new Command().option('--target <column>'))
    .parse(['--target', 'y', '--bounds', 'x:-1..1,y:0..9', '--epsilon', '1', ...args], { from: 'user' })
    .opts<FitFlags>();

/** What the flags are refused for, by the translation or by the planner, in terms of flags. */
function refusal(args: readonly string[], canReread = true): string {
  try {
    privateRequest(privateOptions(flagsOf(...args)), 100_000, [{ name: 'x', field: 0 }], { canReread });
  } catch (error) {
    expect(error).to.be.instanceOf(ArgumentError);
    return inFlags((error as ArgumentError).message);
  }
  return '';
}

describe('private flags', () => {
  const refuse = (...args: readonly string[]) => refusal(['--delta', '1e-6', ...args]);

  it('let a usual request pass', () => {
    expect(refuse()).to.equal('');
    expect(refuse('--unit', 'person', '--max-per-unit', '2', '--calibration', 'exact')).to.equal('');
    expect(refuse('--ledger', 'l.jsonl', '--dataset', 'people', '--budget', '3')).to.equal('');
  });

  it('are refused without a delta', () => {
    expect(refusal([])).to.include('--epsilon needs --delta');
  });

  it('are refused where they are not private or make no sense, by the name of the flag', () => {
    const cases: readonly (readonly [flags: readonly string[], text: string])[] = [
      [['--nulls', 'error'], '--nulls error would reveal the contents of rows'],
      [['--sql', 'SELECT 1'], '--sql may combine several rows into one'],
      [['--holdout', '0.1'], '--holdout does not go with a private run'],
      [['--weights', 'z'], '--weights is not for private runs'],
      [['--start', 'model.json'], '--start is not for private runs'],
      [['--aggregate', 'huber'], '--aggregate huber has no bounded sensitivity'],
      [['--unit', 'person'], '--unit and --max-per-unit go together'],
      [['--max-per-unit', '2'], '--unit and --max-per-unit go together'],
      [['--loss', 'poisson', '--clip', '1'], 'give --step, or --set l2'],
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
    for (const [flags, text] of cases) expect(refuse(...flags), flags.join(' ')).to.include(text);
  });

  it('are refused beside second moments that were asked for, where these do not go with them', () => {
    const asked = ['--moments', 'yes'];
    expect(refuse(...asked)).to.equal('');
    for (const other of [
      ['--clip', '1'],
      ['--row-length', '2'],
      ['--step', '0.5'],
      ['--ridge', '0.1'],
      ['--aggregate', 'median-of-means'],
      ['--mode', 'fresh'],
      ['--calibration', 'paper'],
    ]) {
      const told = `--moments yes does not go with ${other.join(' ')}`;
      expect(refuse(...asked, ...other), other.join(' ')).to.include(told);
      expect(refuse(...other)).not.to.include('--moments');
    }
    expect(refusal(['--delta', '1e-6', ...asked], false)).to.include('a stream, which is read once');
  });
});
