import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { parseModel } from '../../src/model/model.ts';
import { modelOf } from '../support/modelOf.ts';

describe('parseModel', () => {
  const good = modelOf([1, -2], { loss: { name: 'pseudo-huber', parameter: 0.5 }, intercept: 3 });
  const parse = (change: object): unknown => parseModel(JSON.stringify({ ...good, ...change }), 'm.json');

  it('reads what was written', () => {
    expect(parse({})).to.deep.equal(good);
    expect(parse({ intercept: null })).to.deep.equal({ ...good, intercept: null });
  });

  it('takes a file without categorical columns', () => {
    const { categorical: _, ...rest } = good;
    expect(parseModel(JSON.stringify(rest), 'm.json').categorical).to.deep.equal({});
  });

  it('says what is wrong with a file, by name and with a way out', () => {
    const wrong: [object, string][] = [
      [{ format: 'other' }, 'is not a sluice model'],
      [{ version: 2 }, 'has version 2, but this sluice reads 1'],
      [{ target: 7 }, 'has no target'],
      [{ loss: { parameter: 1 } }, 'has no loss'],
      [{ features: [] }, 'has no features'],
      [{ coefficients: [] }, 'has no coefficients'],
      [{ coefficients: { x0: 1 } }, 'has no coefficient for "x1"'],
      [{ coefficients: { x0: 1, x1: null } }, 'has no coefficient for "x1"'],
      [{ intercept: 'none' }, 'has an intercept that is neither a number nor null'],
      [{ categorical: { origin: 'ATL' } }, 'has malformed categorical levels'],
      [{ severeNotes: [0] }, 'has severeNotes that are not places of its notes'],
      [{ notes: ['a'], severeNotes: ['a'] }, 'has severeNotes that are not places of its notes'],
    ];
    for (const [change, problem] of wrong) {
      expect(() => parse(change), problem).to.throw(ArgumentError, `m.json: ${problem}; give a file`);
    }
    expect(() => parseModel('{', 'm.json')).to.throw(ArgumentError, 'm.json: is not JSON');
    expect(() => parseModel('[]', 'm.json')).to.throw(ArgumentError, 'm.json: is not a sluice model');
  });
});
