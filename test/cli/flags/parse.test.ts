import { expect } from 'chai';
import {
  levels,
  names,
  nonNegative,
  number,
  probability,
  wholeNumber,
  withParameter,
} from '../../../src/cli/flags/parse.ts';

describe('flags', () => {
  it('are numbers, whole numbers, names, levels and names with a parameter', () => {
    expect(number('--step', '1e-3')).to.equal(0.001);
    expect(wholeNumber('--rows', '3_000_000')).to.equal(3_000_000);
    expect(names('--features', 'a, b')).to.deep.equal(['a', 'b']);
    expect(levels(['origin=ATL|LAX', 'kind=x'])).to.deep.equal({ origin: ['ATL', 'LAX'], kind: ['x'] });
    expect(withParameter('pseudo-huber:0.5')).to.deep.equal({ name: 'pseudo-huber', parameter: '0.5' });
    expect(withParameter('squared')).to.deep.equal({ name: 'squared' });
  });

  it('are refused by name otherwise', () => {
    expect(() => number('--step', 'big')).to.throw('--step must be a number, got "big"');
    expect(() => number('--step', '')).to.throw('--step must be a number');
    expect(() => number('--step', 'Infinity')).to.throw('--step must be a number');
    expect(() => wholeNumber('--blocks', '2.5')).to.throw('--blocks must be a whole number of at least 1, got "2.5"');
    expect(() => nonNegative('--ridge', '-1')).to.throw('--ridge must be at least 0, got "-1"');
    for (const text of ['0', '1', '-0.5', '2'])
      expect(() => probability('--failure', text)).to.throw('--failure must be between 0 and 1');
    expect(() => names('--features', 'a,,b')).to.throw('--features must be names');
    expect(() => levels(['origin'])).to.throw('--categorical must look like origin=ATL|LAX');
    expect(() => levels(['origin=ATL|ATL'])).to.throw('distinct levels');
  });
});
