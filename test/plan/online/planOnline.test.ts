import { expect } from 'chai';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { onlineChunks, planOnline } from '../../../src/plan/online/planOnline.ts';

describe('planOnline', () => {
  it('chooses the rows of a chunk and of the pilot by the number of coefficients, and says why', () => {
    expect(planOnline({ features: 4 }).figures).to.deep.equal({
      pilot: 1000,
      chunk: 1000,
      reasons: [
        'A chunk has 1000 rows: at least 1000 and 10 for each of 5 coefficients.',
        'The pilot has 1000 rows: at least 400 and 10 for each of 5 coefficients, in whole chunks.',
      ],
    });
    expect(planOnline({ features: 199 }).figures).to.include({ pilot: 2000, chunk: 2000 });
    expect(planOnline({ features: 4, chunk: 150 }).figures).to.include({ pilot: 450, chunk: 150 });
    expect(planOnline({ features: 4, chunk: 150, pilot: 60 }).figures).to.include({ pilot: 60, chunk: 150 });
  });

  it('chooses them by precision, by latency, or by what is remembered, and says so', () => {
    const precise = planOnline({ features: 9, precision: 0.05 }).figures;
    expect(precise.chunk).to.equal(4400);
    expect(precise.reasons[0]).to.equal(
      'A chunk has 4400 rows, with which 10 coefficients predict to 0.05 of the spread of residuals.',
    );
    const soon = planOnline({ features: 9, latency: { seconds: 2, rowsPerSecond: 1000 / 3 } }).figures;
    expect(soon.chunk).to.equal(666);
    expect(soon.reasons[0]).to.equal('A chunk has 666 rows, which arrive in 2 s at 333 rows per second.');
    const forgetful = planOnline({ features: 9, forget: 3000 }).figures;
    expect(forgetful.chunk).to.equal(300);
    expect(forgetful.reasons[0]).to.equal('A chunk has 300 rows, a tenth of those that are remembered.');
    expect(planOnline({ features: 9, forget: 30_000 }).figures.chunk).to.equal(1000);
  });

  it('is an endless plan without noise, whose chunks go on from any step', () => {
    const plan = planOnline({ features: 2, chunk: 500, loss: logistic(), intercept: false });
    expect([plan.rows, plan.steps.length, plan.privacy, plan.start.length]).to.deep.equal([
      Infinity,
      Infinity,
      null,
      2,
    ]);
    expect([plan.steps.at(0)!.rows, plan.steps.at(1e9)!.rows, plan.steps.at(-1)]).to.deep.equal([500, 500, undefined]);
    const first = planOnline({ features: 2, chunk: 300 });
    const taken = (from?: number) =>
      Array.from(
        { length: 2 },
        (() => {
          const sizes = onlineChunks(first, from);
          return () => sizes.next().value;
        })(),
      );
    expect([taken(), taken(1)]).to.deep.equal([
      [600, 300],
      [300, 300],
    ]);
    expect(plan).to.be.frozen;
  });

  it('refuses what it cannot do, and says what can', () => {
    expect(() => planOnline({ features: 257 })).to.throw(
      'the online estimator takes at most 256 features, got 257; use planEndless with nesterov or frankWolfe, which run endlessly with any number of them',
    );
    expect(() => planOnline({ features: 0 })).to.throw('features must be a whole number of at least 1');
    expect(() => planOnline({ features: 2, chunk: 10, precision: 0.1 })).to.throw('be given one at a time');
    expect(() => planOnline({ features: 2, pilot: 3 })).to.throw('pilot must be a whole number of at least 4');
    expect(() => planOnline({ features: 2, forget: 0 })).to.throw('forget must be a finite number above 0');
    expect(() => planOnline({ features: 2, penalty: 1 })).to.throw('penalty must be 0 where the scale');
    expect(() => planOnline({ features: 2, onAlarm: 'panic' as never })).to.throw(
      'onAlarm must be "restart" or "note"',
    );
    expect(() => planOnline({ features: 2, chunks: 3 } as never)).to.throw('there is no option `chunks`');
    expect(planOnline({ features: 2, loss: squared(), penalty: 1 }).loss.penalty).to.equal(1);
  });
});
