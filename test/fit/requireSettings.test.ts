import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { fitRows } from '../../src/fit/fitRows.ts';
import { box } from '../../src/method/constraint/box.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import type { Samples } from '../../src/sample/samples.ts';

const unread: Samples = {
  rows: 200,
  features: 2,
  weighted: false,
  batches: () => expect.fail('rows were read'),
};
const squared = lossByName('squared');

describe('settings that no rows would mend', () => {
  const cases: readonly (readonly [object, string | RegExp])[] = [
    [{ start: Float64Array.of(1, 2) }, 'the length of start must be 3, got 2'],
    [{ start: [1, 2, 3] }, 'start must be a Float64Array'],
    [{ start: Float64Array.of(1, NaN, 2) }, 'start[1] must be a finite number, got NaN'],
    [{ penalty: -1 }, 'penalty must be a finite number of at least 0, got -1'],
    [{ aggregate: 'median' }, 'aggregate must be "auto" or "mean" or "median-of-means", got "median"'],
    [{ aggregate: { huber: 0.7 } }, 'aggregate.huber must be in [0, 0.5), got 0.7'],
    [{ stepSize: -1 }, 'stepSize must be a finite number above 0, got -1'],
    [{ stepSize: '0.1' }, 'stepSize must be a finite number above 0, got "0.1"'],
    [{ method: 'nesterov', momentum: 2 }, /^momentum must .* got 2$/],
    [{ method: 'nesterov', stepSize: 1, momentum: 2 }, /^momentum must .* got 2$/],
    [{ method: 'gradient', momentum: 0.5 }, 'momentum is a part of method nesterov, got method gradient'],
    [{ method: 'nesterov', constraint: l2Ball(1) }, 'method nesterov works over all of R^p'],
    [
      { method: 'accelerated-frank-wolfe', constraint: l2Ball(1), intercept: false, loss: squared },
      'method accelerated-frank-wolfe needs its constant stepSize',
    ],
    [{ method: 'frank-wolfe', constraint: l2Ball(1), loss: squared }, 'set intercept to false'],
    [
      { constraint: box(Float64Array.of(0, 0, 0), Float64Array.of(1, 1, 1)) },
      'constraint must be a set for the 2 coefficients of the features, got "box"; the length of point must be 3, got 2',
    ],
    [{ memoryBytes: NaN }, 'memoryBytes must be a number of at least 0, got NaN'],
    [{ memoryBytes: -1 }, 'memoryBytes must be a number of at least 0, got -1'],
  ];

  it('are refused before any is read', async () => {
    for (const [options, text] of cases) {
      const refused = await fitRows(unread, options).catch(caught => caught);
      expect(refused, String(text)).to.be.instanceOf(ArgumentError);
      if (typeof text === 'string') expect(refused.message).to.include(text);
      else expect(refused.message).to.match(text);
    }
  });
});

describe('rows that are not as their source declares', () => {
  const batch = (rows: number, features: number) => ({
    rows,
    columns: Array.from({ length: features }, () => new Float64Array(rows).map((_, i) => Math.sin(i))),
    target: new Float64Array(rows).map((_, i) => Math.cos(i)),
  });
  const declared = (rows: number, features: number): Samples => ({
    rows,
    features,
    weighted: false,
    async *batches() {
      yield batch(200, 2);
    },
  });

  it('are refused, in any order and for any loss', async () => {
    for (const order of ['shuffle', 'as-is'] as const)
      for (const options of [{}, { loss: squared }, { loss: squared, stepSize: 0.1, mode: 'full' } as const]) {
        const message = async (samples: Samples): Promise<string> =>
          fitRows(samples, { order, ...options }).then(String, error => error.message);
        expect(await message(declared(200, 1))).to.equal('the length of batch.columns must be 1, got 2');
        expect(await message(declared(200, 3))).to.equal('the length of batch.columns must be 3, got 2');
        if (order === 'shuffle')
          expect(await message(declared(150, 2))).to.include('the batches must have at most 150 rows in all, got more');
      }
  });
});
