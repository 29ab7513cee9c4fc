import { expect } from 'chai';
import { Command } from 'commander';
import { planCommand } from '../../../src/cli/commands/planCommand.ts';
import { estimateOptions } from '../../../src/cli/flags/estimateOptions.ts';
import { addFitFlags, type FitFlags } from '../../../src/cli/flags/fitFlags.ts';
import { declaredColumns, privateOptions } from '../../../src/cli/flags/privateOptions.ts';
import { inFlags } from '../../../src/cli/render/inFlags.ts';
import { privateRequest } from '../../../src/fit/index.ts';
import { ArgumentError } from '../../../src/index.ts';

const flagsOf = (...args: readonly string[]): FitFlags =>
  addFitFlags(new Command().option('--target <column>').option('--width <p>'))
    .parse(['--target', 'y', ...args], { from: 'user' })
    .opts<FitFlags>();

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(ArgumentError);
    return (error as ArgumentError).message;
  }
  return 'nothing was refused';
}

describe('estimateOptions', () => {
  const CASES: readonly (readonly [args: readonly string[], text: string])[] = [
    [['--features', 'a,b,a'], '--features names "a", which is listed twice'],
    [['--features', 'a,y'], '--features names "y", which is the target and cannot be a feature too; leave it out'],
    [['--weights', 'y'], '--weights names "y", which is the target'],
    [['--features', 'a', '--weights', 'a'], '--weights names "a", which is a feature'],
    [
      ['--features', 'a', '--categorical', 's=b|a'],
      '--categorical names "s", which is not a feature; add it to --features, or leave --categorical s=… out',
    ],
  ];

  it('refuses columns of two roles in the request that fit and plan share, whatever data hold', () => {
    for (const [args, text] of CASES) expect(() => estimateOptions(flagsOf(...args))).to.throw(ArgumentError, text);
    estimateOptions(flagsOf('--features', 'a,s', '--categorical', 's=b|a', '--weights', 'w'));
    estimateOptions(flagsOf('--features', 'a', '--categorical', 'y=no|yes'));
    estimateOptions(flagsOf('--categorical', 's=b|a'));
  });

  it('and in private runs, where units are told apart by a column of their own', () => {
    const declared = (...args: readonly string[]) =>
      declaredColumns(flagsOf('--features', 'a,b', ...args)).map(({ name }) => name);
    expect(() => declared('--unit', 'a')).to.throw(
      ArgumentError,
      '--unit names "a", which is a feature, and cannot identify units too',
    );
    expect(() => declared('--unit', 'y')).to.throw(ArgumentError, '--unit names "y", which is the target');
    expect(declared('--unit', 'person')).to.deep.equal(['a', 'b']);
  });

  it('refuses levels beside a number of features that may or may not count them', async () => {
    const levels = ['--width', '2', '--categorical', 'c=A'];
    const told = '--width 2 does not say whether the levels of c are among the features';
    const failure = await planCommand(flagsOf('--rows', '100', ...levels)).catch(error => error);
    expect(failure).to.be.instanceOf(ArgumentError);
    expect(failure.message).to.include(told);
    expect(() => declaredColumns(flagsOf('--norm-bound', '1', ...levels))).to.throw(ArgumentError, told);
  });

  it('refuses a seed of an order that rows keep', () => {
    const refused = flagsOf('--order', 'as-is', '--order-seed', '3');
    expect(() => estimateOptions(refused)).to.throw(ArgumentError, '--order-seed 3 is the seed of the shuffle');
  });

  it('refuses ranges of features beside a bound of their norm, which would be in their place', () => {
    const flags = (...args: readonly string[]) =>
      flagsOf('--epsilon', '1', '--delta', '1e-6', '--features', 'a', '--norm-bound', '2', ...args);
    const plan = (...args: readonly string[]) =>
      privateRequest(privateOptions(flags('--steps', '5', ...args)), 10_000, [{ name: 'a', field: 0 }]);
    expect(inFlags(refusal(() => plan('--bounds', 'a:0..1,y:0..1')))).to.include(
      '--norm-bound 2 takes the place of ranges for the features, but --bounds has ranges for a; leave --norm-bound out',
    );
    expect(plan('--bounds', 'y:0..1').plan.scaling.byNorm).to.equal(true);
  });
});
