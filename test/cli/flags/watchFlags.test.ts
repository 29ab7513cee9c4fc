import { expect } from 'chai';
import { Command } from 'commander';
import { addWatchFlags, milliseconds, onlineOptions, type WatchFlags } from '../../../src/cli/flags/watchFlags.ts';

function optionsOf(...flags: readonly string[]) {
  const command = addWatchFlags(new Command().exitOverride().requiredOption('--target <column>').argument('[source]'));
  command.parse(['--target', 'y', ...flags], { from: 'user' });
  return onlineOptions(command.opts<WatchFlags>());
}

describe('the flags of watch', () => {
  it('leave to be planned what is not given', () => {
    expect(optionsOf()).to.deep.equal({ target: 'y', intercept: true, loss: 'auto' });
  });

  it('become options of estimateOnline', () => {
    expect(
      optionsOf(
        ...['--features', 'a,b', '--categorical', 'b=u|v', '--loss', 'logistic', '--ridge', '0.5', '--no-intercept'],
        ...['--weights', 'w', '--nulls', 'skip', '--chunk', '2_000', '--forget', '50000', '--on-alarm', 'note'],
        ...['--every', '30s', '--until-rows', '1000', '--most-bad', '0.2', '--checkpoint', 'state'],
        ...['--history', 'one.csv', 'two.csv'],
      ),
    ).to.deep.equal({
      ...{ target: 'y', features: ['a', 'b'], categorical: { b: ['u', 'v'] }, loss: 'logistic', penalty: 0.5 },
      ...{ intercept: false, weights: 'w', nulls: 'skip', chunk: 2000, forget: 50_000, onAlarm: 'note' },
      ...{ every: 30_000, untilRows: 1000, mostBad: 0.2, checkpoint: 'state', history: ['one.csv', 'two.csv'] },
    });
    expect(
      optionsOf(
        ...['--epsilon', '1', '--delta', '1e-6', '--bounds', 'a:0..1,y:-1..1', '--unit', 'id', '--max-per-unit', '5'],
        ...['--per-chunk', '2', '--ledger', 'l', '--dataset', 'd', '--budget', '2', '--checkpoint', 'state'],
      ),
    ).to.deep.equal({
      ...{ target: 'y', loss: 'auto', intercept: true, epsilon: 1, delta: 1e-6, bounds: { a: [0, 1], y: [-1, 1] } },
      ...{
        unit: 'id',
        maxPerUnit: 5,
        perChunk: 2,
        ledger: { file: 'l', dataset: 'd', budget: 2 },
        checkpoint: 'state',
      },
    });
  });

  it('leave the scale of pseudo-Huber to be learnt unless it is given', () => {
    expect(optionsOf('--loss', 'pseudo-huber').loss).to.equal('pseudo-huber');
    expect(optionsOf('--loss', 'pseudo-huber:2').loss).to.deep.include({ name: 'pseudo-huber', parameter: 2 });
  });

  it('are refused by name, with what would be right', () => {
    const refusals: [flags: readonly string[], said: string][] = [
      [['--every', '30'], '--every must be a time such as 500ms, 30s, 5m or 1h, got "30"'],
      [['--most-bad', '5'], '--most-bad must be a share from 0 to 1'],
      [['--chunk', '1.5'], '--chunk must be a whole number of at least 1'],
      [['--ledger', 'l'], '--ledger needs --dataset NAME'],
      [['--budget', '1'], '--dataset and --budget go with --ledger FILE'],
      [['--epsilon', '1'], '--epsilon needs --delta; for a stream it is at most 1e-6'],
      [['--features', 'a,y'], '--features names "y", which is the target'],
    ];
    for (const [flags, said] of refusals) expect(() => optionsOf(...flags)).to.throw(said);
  });

  it('take times in four units', () => {
    expect(['250ms', '1.5s', '2m', '1h'].map(text => milliseconds('--every', text))).to.deep.equal([
      250, 1500, 120_000, 3_600_000,
    ]);
    for (const text of ['0s', '-1s', '30d', '1000h']) expect(() => milliseconds('--every', text)).to.throw('a time');
  });
});
