import { expect } from 'chai';
import {
  concatMap,
  delay,
  EMPTY,
  filter,
  from,
  map,
  mergeMap,
  NEVER,
  of,
  retry,
  Subject,
  take,
  throwError,
} from 'rxjs';
import { mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { passes } from '../../src/flow/passes.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { split } from '../../src/flow/split.ts';
import { stage } from '../../src/flow/stage.ts';
import { fromText, toText } from '../../src/math/plainData.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { ridge } from '../../src/method/loss/ridge.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import type { UpdateRule } from '../../src/method/rule/updateRule.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { collect, emptyChunk, gradientOf, smallPlan } from '../support/descentFixtures.ts';

/** A gradient that is 1 plus the step's index, whatever the rows. */
const known = stage({
  name: 'known',
  from: 'step',
  to: 'gradient',
  run: map(({ index }) => gradientOf(1 + index)),
});
const slow = stage({
  name: 'slow',
  from: 'gradient',
  to: 'gradient',
  run: concatMap(g => of(g).pipe(delay(2))),
});
const plan = smallPlan();
const three = () => [0, 1, 2].map(index => emptyChunk(index));

describe('descend', () => {
  it('gives one iterate per chunk, in order', async () => {
    for (const stages of [[known], [known, slow]]) {
      const iterates = await collect(from(three()).pipe(descend(plan, ...stages)));
      expect(iterates.map(({ step }) => step)).to.deep.equal([1, 2, 3]);
      expect(iterates.map(({ theta }) => theta[0]!)).to.deep.equal([-0.1, -0.1 - 0.2, -0.1 - 0.2 - 0.1 * 3]);
      expect(iterates.map(({ rows }) => rows)).to.deep.equal([4, 4, 4]);
    }
  });

  it('asks for the next gradient only when the last was used', async () => {
    let busy = 0;
    const alone = stage({
      name: 'alone',
      from: 'step',
      to: 'gradient',
      run: mergeMap(({ at }) => {
        busy++;
        expect(busy).to.equal(1);
        return of(gradientOf(at[0]! + 1)).pipe(
          delay(1),
          map(gradient => {
            busy--;
            return gradient;
          }),
        );
      }),
    });
    expect(await collect(from(three()).pipe(descend(plan, alone)))).to.have.length(3);
  });

  it('is empty for no chunk, silent for none yet, and passes an error of the chunks on', async () => {
    expect(await collect(EMPTY.pipe(descend(plan, known)))).to.deep.equal([]);
    let heard = 0;
    NEVER.pipe(descend(plan, known))
      .subscribe(() => heard++)
      .unsubscribe();
    expect(heard).to.equal(0);
    const failed = await collect(throwError(() => new Error('no disk')).pipe(descend(plan, known))).catch(e => e);
    expect(failed.message).to.equal('no disk');
  });

  it('passes on what a stage, a rule or a chunk throws, and releases the chunk under way', async () => {
    const chunks = three();
    const failing = stage({
      name: 'failing',
      from: 'gradient',
      to: 'gradient',
      run: map((gradient, index) => {
        if (index === 1) throw new Error('step 1 broke');
        return gradient;
      }),
    });
    const error = await collect(from(chunks).pipe(descend(plan, known, failing))).catch(caught => caught);
    expect(error.message).to.equal('step 1 broke');
    expect(chunks[1]!.released()).to.equal(true);
    const broken = { ...plan, rule: { ...plan.rule, step: () => expect.fail('the rule broke') } };
    const thrown = await collect(from(three()).pipe(descend(broken, known))).catch(caught => caught);
    expect(thrown.message).to.equal('the rule broke');
    const lost = { ...plan, rule: { ...plan.rule, query: () => expect.fail('the query broke') } };
    const lostError = await collect(from(three()).pipe(descend(lost, known))).catch(caught => caught);
    expect(lostError.message).to.equal('the query broke');
  });

  it('releases a chunk that no step is made of: one too many, or one whose query fails', async () => {
    const extra = [...three(), emptyChunk(3)];
    const tooMany = await collect(from(extra).pipe(descend(plan, known))).catch(caught => caught);
    expect(tooMany.message).to.equal('the plan has 3 steps, but chunk 3 came');
    expect(extra[3]!.released()).to.equal(true);
    const lost = { ...plan, rule: { ...plan.rule, query: () => expect.fail('the query broke') } };
    const chunks = three();
    await collect(from(chunks).pipe(descend(lost, known))).catch(() => {});
    expect(chunks[0]!.released()).to.equal(true);
  });

  it('releases the chunk under way when its subscriber leaves', () => {
    const chunks = three();
    const stuck = stage({ name: 'stuck', from: 'step', to: 'gradient', run: concatMap(() => NEVER) });
    const subscription = from(chunks).pipe(descend(plan, stuck)).subscribe();
    expect(chunks[0]!.released()).to.equal(false);
    subscription.unsubscribe();
    expect(chunks[0]!.released()).to.equal(true);
  });

  it('lets a subscriber take a few iterates and leave', async () => {
    const chunks = three();
    const iterates = await collect(from(chunks).pipe(descend(plan, known, slow), take(2)));
    expect(iterates.map(({ step }) => step)).to.deep.equal([1, 2]);
    expect(chunks[2]!.released()).to.equal(true);
  });

  it('keeps a stage subscribed from step to step', async () => {
    const running = stage({
      name: 'running',
      from: 'gradient',
      to: 'gradient',
      run: map((gradient, index) => ({
        ...gradient,
        values: gradient.values.map(value => value * (index + 1)),
      })),
    });
    const iterates = await collect(from(three()).pipe(descend(plan, known, running)));
    expect(iterates.map(({ gradient }) => gradient!.values[0])).to.deep.equal([1, 4, 9]);
  });

  it('goes on as it would whatever is written into the iterates that it gives', async () => {
    const seen: number[] = [];
    from(three())
      .pipe(descend(plan, known))
      .subscribe(({ theta }) => {
        seen.push(theta[0]!);
        theta.fill(1e9);
      });
    expect(seen).to.deep.equal([-0.1, -0.1 - 0.2, -0.1 - 0.2 - 0.1 * 3]);
  });

  it('goes thousands of synchronous steps deep', async () => {
    const steps = 20_000;
    const long = planFit({
      rows: steps,
      features: 1,
      loss: squared(),
      rule: projectedGradient({ stepSize: 1e-6 }),
      steps,
      aggregate: 'mean',
    });
    let last = 0;
    const light = { ...long, steps: long.steps };
    from(Array.from({ length: 3000 }, (_, i) => emptyChunk(i, 1)))
      .pipe(descend(light, known))
      .subscribe(({ step }) => {
        last = step;
      });
    expect(last).to.equal(3000);
  });

  it('says so when stages give two gradients, none at the end, or more chunks come than planned', async () => {
    const twice = stage({ name: 'twice', from: 'gradient', to: 'gradient', run: concatMap(g => of(g, g)) });
    const early = stage({ name: 'early', from: 'gradient', to: 'gradient', run: take(1) });
    const message = async (flow: Promise<unknown>): Promise<string> => flow.then(String, error => error.message);
    expect(await message(collect(of(emptyChunk(0)).pipe(descend(plan, known, twice))))).to.include('second gradient');
    expect(await message(collect(from(three()).pipe(descend(plan, known, early))))).to.include('ended after 1 step');
    const four = [0, 1, 2, 3].map(index => emptyChunk(index));
    expect(await message(collect(from(four).pipe(descend(plan, known))))).to.include('the plan has 3 steps');
  });

  it('waits for a gradient that a stage holds back', () => {
    const gate = new Subject<void>();
    const gated = stage({
      name: 'gated',
      from: 'gradient',
      to: 'gradient',
      run: concatMap(gradient =>
        gate.pipe(
          take(1),
          map(() => gradient),
        ),
      ),
    });
    const steps: number[] = [];
    from(three())
      .pipe(descend(plan, known, gated))
      .subscribe(({ step }) => steps.push(step));
    expect(steps).to.deep.equal([]);
    gate.next();
    expect(steps).to.deep.equal([1]);
    gate.next();
    gate.next();
    expect(steps).to.deep.equal([1, 2, 3]);
  });

  it('adds the ridge penalty at the point where the gradient was taken', async () => {
    const penalized = smallPlan({ loss: ridge(squared(), 0.5), start: Float64Array.of(2) });
    const [first] = await collect(from(three()).pipe(descend(penalized, known), take(1)));
    expect(first!.gradient!.values[0]).to.equal(1 + 0.5 * 2);
  });

  it('checks the order of stages when it is composed, before any chunk comes', () => {
    expect(() => descend(plan, slow)).to.throw('stage slow takes gradient but follows a step');
    const secret = smallPlan({ privacy: { epsilon: 1, delta: 1e-6, lipschitz: 1 } });
    expect(() => descend(secret, known)).to.throw('must hold perturb');
  });

  it('charges a run without noise as not private', async () => {
    const iterates = await collect(
      from(three()).pipe(
        descend(plan, known),
        filter(({ step }) => step === 3),
      ),
    );
    expect(iterates[0]!.ledger.isPrivate).to.equal(false);
    expect(iterates[0]!.ledger.entries).to.have.length(3);
  });

  it('runs once where its plan is private, for a second run would release again, and as often as asked otherwise', async () => {
    const rows = samplesOf(sampleBatch([new Float64Array(12).fill(1)], new Float64Array(12)));
    const privacy = { epsilon: 1, delta: 1e-6, lipschitz: 1 };
    const secret = smallPlan({ privacy, mode: 'full' });
    const drawn: number[] = [];
    const mechanism = simulatedGaussian(seeded(1, 'noise'));
    const counted = {
      ...mechanism,
      perturb: (...given: Parameters<typeof mechanism.perturb>) => {
        drawn.push(given[1].sigma);
        return mechanism.perturb(...given);
      },
    };
    const iterates = passes(rows, 3).pipe(descend(secret, blockSums(secret), perturb(counted, secret), mean()));
    expect(await collect(iterates)).to.have.length(3);
    const again = await collect(iterates.pipe(retry(2))).then(
      () => 'ran',
      (error: Error) => error.message,
    );
    expect(again).to.include('has been subscribed to before');
    expect(drawn).to.have.length(3);
    const open = smallPlan({ mode: 'full' });
    const plain = passes(rows, 3).pipe(descend(open, blockSums(open), mean()));
    expect(await collect(plain)).to.have.length(3);
    expect(await collect(plain)).to.have.length(3);
  });
});

describe('descend without end', () => {
  const step = { chunk: 0, rows: 4, blocks: 1, rowsPerBlock: 4, release: null };
  const endless = { ...plan, steps: { length: Infinity, at: (t: number) => ({ ...step, chunk: t }) } };
  const held = (index: number, rows = 4) => {
    let done = 0;
    return { ...emptyChunk(index, rows), done: () => done++, isDone: () => done };
  };

  it('takes steps for as long as chunks come, tells each chunk that it is done, and keeps one entry in the ledger', async () => {
    const chunks = Array.from({ length: 50 }, (_, index) => held(index));
    const iterates = await collect(from(chunks).pipe(descend(endless, known)));
    expect(iterates).to.have.length(50);
    expect(chunks.every(({ isDone }) => isDone() === 1)).to.equal(true);
    expect(iterates.at(-1)!.ledger.entries).to.have.length(1);
  });

  it('goes on from a state to the same bits', async () => {
    const whole = await collect(from([0, 1, 2, 3].map(index => held(index))).pipe(descend(endless, known)));
    const state = fromText(toText(whole[1]!.state));
    const rest = await collect(
      from([2, 3].map(index => held(index))).pipe(descend({ ...endless, from: { state, step: 2 } }, known)),
    );
    expect(rest.map(({ step: t, theta }) => [t, ...theta])).to.deep.equal(
      whole.slice(2).map(({ step: t, theta }) => [t, ...theta]),
    );
  });

  it('asks again about the same chunk, without an iterate, while the rule has questions', async () => {
    const asked: [number, string | undefined][] = [];
    const asking = stage({
      name: 'asking',
      from: 'step',
      to: 'gradient',
      run: map(({ index, asks }) => {
        asked.push([index, asks]);
        return gradientOf(1);
      }),
    });
    const rule: UpdateRule<number> = {
      name: 'thorough',
      init: () => 0,
      query: () => Float64Array.of(0),
      question: state => ({ at: Float64Array.of(0), asks: `${state}` }),
      step: state => state + 1,
      again: state => state % 3 !== 0,
      iterate: state => Float64Array.of(state),
    };
    const chunks = [held(0), held(1)];
    const iterates = await collect(from(chunks).pipe(descend({ ...endless, rule: rule as UpdateRule }, asking)));
    expect(iterates.map(({ theta }) => theta[0])).to.deep.equal([3, 6]);
    expect(asked).to.deep.equal([0, 0, 0, 1, 1, 1].map((index, count) => [index, `${count}`]));
    expect(chunks.map(({ isDone }) => isDone())).to.deep.equal([1, 1]);
    const secret = planFit({
      rows: 12,
      features: 1,
      loss: squared(),
      rule: rule as UpdateRule,
      steps: 3,
      aggregate: 'mean',
      mode: 'full',
      privacy: { epsilon: 1, delta: 1e-6, lipschitz: 1 },
    });
    const noise = perturb(simulatedGaussian(seeded(1, 'noise')), secret);
    expect(() => descend(secret, blockSums(secret), noise, mean())).to.throw('may ask about the same rows again');
  });

  it('waits until what follows from an iterate has settled, and passes its error on', async () => {
    const events: string[] = [];
    const chunks = [0, 1].map(index => ({ ...emptyChunk(index), done: () => events.push(`done ${index}`) }));
    const settle = async ({ step: t }: { readonly step: number }): Promise<void> => {
      await new Promise(resolve => setTimeout(resolve, 2));
      events.push(`settled ${t}`);
      if (t === 2) throw new Error('the disk is full');
    };
    const error = await collect(from(chunks).pipe(descend({ ...endless, settle }, known))).catch(caught => caught);
    expect(error.message).to.equal('the disk is full');
    expect(events).to.deep.equal(['settled 1', 'done 0', 'settled 2']);
  });

  it('uses the rows of a chunk that ended early, in as many blocks', async () => {
    const column = Float64Array.from({ length: 10 }, (_, i) => i);
    const samples = {
      ...samplesOf(sampleBatch([column], column)),
      async *batches() {
        yield { ...sampleBatch([column], column), endsChunk: false };
        yield { ...sampleBatch([column.subarray(0, 7)], column.subarray(0, 7)), endsChunk: true };
      },
    };
    const steps = { length: Infinity, at: () => ({ chunk: 0, rows: 10, blocks: 3, rowsPerBlock: 3, release: null }) };
    function* tens(): Generator<number> {
      for (;;) yield 10;
    }
    const iterates = await collect(
      split(samples, { chunks: tens() }).pipe(descend({ ...endless, steps }, blockSums({ ...endless, steps }), mean())),
    );
    expect(iterates.map(({ rows }) => rows)).to.deep.equal([9, 6]);
  });
});
