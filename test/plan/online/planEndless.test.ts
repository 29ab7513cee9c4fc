import { expect } from 'chai';
import { blockCount } from '../../../src/method/aggregate/blockCount.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { planEndless } from '../../../src/plan/online/planEndless.ts';

const rule = nesterov({ stepSize: 0.1, momentum: 0.5 });
const plan = (options: object = {}) => planEndless({ features: 3, loss: squared(), rule, chunk: 1000, ...options });

describe('planEndless', () => {
  it('lets all steps together fail with the probability given: each has more blocks than those before', () => {
    const { steps } = plan({ failureProbability: 0.1 });
    let sum = 0;
    for (let t = 0; t < 20_000; t++) sum += (6 * 0.1) / (Math.PI * (t + 1)) ** 2;
    expect(sum).to.be.within(0.0999, 0.1);
    for (const t of [0, 10, 1e6]) {
      const { blocks, rowsPerBlock, rows, release } = steps.at(t)!;
      expect(blocks).to.equal(blockCount(0.6 / (Math.PI * (t + 1)) ** 2));
      expect([rowsPerBlock, rows, release]).to.deep.equal([Math.floor(1000 / blocks), 1000, null]);
    }
    expect(plan({ chunk: 30 }).steps.at(1e9)!.blocks).to.equal(15);
  });

  it('takes a number of blocks, a mean, a start and an intercept', () => {
    expect(plan({ blocks: 5 }).steps.at(7)!.blocks).to.equal(5);
    expect(plan({ aggregate: 'mean' }).steps.at(7)).to.include({ blocks: 1, rowsPerBlock: 1000 });
    expect(plan({ intercept: true }).start).to.deep.equal(new Float64Array(4));
    expect(plan({ start: Float64Array.of(1, 2, 3) }).start).to.deep.equal(Float64Array.of(1, 2, 3));
    expect(plan().steps.length).to.equal(Infinity);
  });

  it('refuses chunks with too few rows for their blocks', () => {
    expect(() => plan({ chunk: 10 })).to.throw('rows must be at least 2b');
    expect(() => plan({ chunk: 10, blocks: 6 })).to.throw('chunk must be at least 2b = 12');
    expect(() => plan({ steps: 4 })).to.throw('there is no option `steps`');
  });
});
