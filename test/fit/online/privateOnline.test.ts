import { expect } from 'chai';
import { lastValueFrom, take, toArray } from 'rxjs';
import { type PrivateCheckpoint, privateOnline } from '../../../src/fit/online/privateOnline.ts';
import { fromText, toText } from '../../../src/math/plainData.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import type { PooledState } from '../../../src/method/rule/pooled.ts';
import type { SampleBatch } from '../../../src/sample/sampleBatch.ts';
import type { Samples } from '../../../src/sample/samples.ts';
import { unitTable } from '../../../src/sample/transform/unitTable.ts';
import { correlated, linearRows, normalNoise } from '../../support/privateStream.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const truth = Float64Array.of(0.4, -0.3, 0.1);
/** A large epsilon, so that a preamble has few rows. */
const LOOSE = { epsilon: 20, delta: 1e-6, scaling: unitScaling(2) };

/** Rows from row `start` on, endlessly; `change` may replace what any of them holds. */
function rowsFrom(
  start: number,
  { change = () => {}, units = false }: { change?: (row: number, values: number[]) => void; units?: boolean } = {},
): Samples {
  const width = units ? 3 : 2;
  return {
    rows: Infinity,
    features: width,
    weighted: false,
    async *batches() {
      const random = seeded(3, 'rows');
      const draw = linearRows(random, correlated(random, 2, 0.3), truth, 0.05, normalNoise);
      const x = new Float64Array(2);
      for (let row = 0; ; ) {
        const kept: number[][] = [];
        for (; kept.length < 100; row++) {
          const y = draw(x);
          const values = [...x, ...(units ? [row % 40] : []), y];
          change(row, values);
          if (row >= start) kept.push(values);
        }
        yield {
          rows: kept.length,
          columns: Array.from({ length: width }, (_, j) => Float64Array.from(kept, values => values[j]!)),
          target: Float64Array.from(kept, values => values[width]!),
        } satisfies SampleBatch;
      }
    },
  };
}

const noWrite = async (): Promise<void> => {};

describe('privateOnline', () => {
  it('comes near the truth, in the units of the data, with intervals, from one pass and one entry of its ledger', async () => {
    const stream = privateOnline({ ...LOOSE, random: seeded(1, 'noise') });
    const run = stream.run(rowsFrom(0), { write: noWrite });
    const iterates = await lastValueFrom(run.pipe(take(60), toArray()));
    const last = iterates.at(-1)!;
    const { theta, errors, now, anyTime, isPooled, progressive, rows } = stream.report(last.state as PooledState);
    theta.forEach((value, j) => {
      expect(Math.abs(value - truth[j]!)).to.be.below(6 * errors![j]!);
      expect(errors![j]).to.be.below(0.02);
      expect(anyTime[j]![0]).to.be.below(now[j]![0]);
    });
    expect(isPooled).to.equal(true);
    expect(progressive).to.equal(null);
    expect(rows).to.equal(stream.plan.rowsBefore(60));
    expect(last.ledger.entries).to.have.length(1);
    expect(last.ledger.isPrivate).to.equal(false);
  });

  it('charges one event of the mu that was planned where noise is secure', () => {
    const { event, plan } = privateOnline({ epsilon: 1, delta: 1e-6, scaling: unitScaling(5) });
    expect(event).to.include({ kind: 'gaussian', chunk: 'each' });
    expect(event.kind === 'gaussian' && event.mu)
      .to.be.at.most(plan.noise.mu)
      .and.closeTo(plan.noise.mu, 1e-5);
  });

  it('waits for the storage of a release before anything sees it', async () => {
    const stream = privateOnline({ ...LOOSE, random: secure() });
    const seen: string[] = [];
    const write = async ({ release }: PrivateCheckpoint): Promise<void> => {
      seen.push(`begins ${release.step}`);
      await new Promise(done => setTimeout(done, 5));
      seen.push(`stored ${release.step}`);
    };
    const settle = async ({ step }: { step: number }): Promise<void> => void seen.push(`seen ${step - 1}`);
    await lastValueFrom(stream.run(rowsFrom(0), { write, settle }).pipe(take(3)));
    expect(seen.slice(0, 9)).to.deep.equal(
      [0, 1, 2].flatMap(t => [`begins ${t}`, `stored ${t}`, `seen ${t}`]).slice(0, seen.length),
    );
  });

  it('ends with the error of a release that could not be stored, and never shows it', async () => {
    const stream = privateOnline({ ...LOOSE, random: secure() });
    const run = stream.run(rowsFrom(0), {
      write: async ({ release }) => {
        if (release.step === 2) throw new Error('the disk is full');
      },
    });
    const seen: number[] = [];
    const error = await new Promise<Error>(done => {
      run.subscribe({ next: ({ step }) => seen.push(step), error: done });
    });
    expect(error.message).to.equal('the disk is full');
    expect(seen).to.deep.equal([1, 2]);
  });

  it('goes on from a checkpoint to the same state: a stored release is used again, without new noise', async () => {
    const stream = privateOnline({ ...LOOSE, random: seeded(1, 'noise') });
    const kept: string[] = [];
    const write = async (checkpoint: PrivateCheckpoint): Promise<void> => void kept.push(toText(checkpoint));
    const whole = await lastValueFrom(stream.run(rowsFrom(0), { write }).pipe(take(20), toArray()));
    const from = fromText(kept[12]!) as PrivateCheckpoint;
    expect(from.release.step).to.equal(12);
    expect(stream.resumed(from)).to.deep.equal(whole[12]!.state);
    const later = privateOnline({ ...LOOSE, random: seeded(2, 'noise') });
    const rows = rowsFrom(later.plan.rowsBefore(13));
    const again = await lastValueFrom(later.run(rows, { write: noWrite, from }).pipe(take(3), toArray()));
    expect(again[0]!.step).to.equal(14);
    expect(again[0]!.rows).to.equal(later.plan.steps.at(13)!.rows);
    expect((again[0]!.state as PooledState).point).not.to.deep.equal((whole[13]!.state as PooledState).gradient);
  });

  it('has checkpoints that are equal for neighbours given equal releases', async () => {
    // Neighbours whose row is replaced by one that adds the same: nothing. Everything but the release is then equal.
    const checkpoints = await Promise.all(
      [NaN, Infinity, -Infinity].map(async value => {
        const stream = privateOnline({ ...LOOSE, random: seeded(1, 'noise') });
        const kept: string[] = [];
        const change = (row: number, values: number[]): void => {
          if (row % 97 === 5) values[row % 3] = value;
        };
        const write = async (checkpoint: PrivateCheckpoint): Promise<void> => void kept.push(toText(checkpoint));
        await lastValueFrom(stream.run(rowsFrom(0, { change }), { write }).pipe(take(15)));
        return kept;
      }),
    );
    expect(checkpoints[1]).to.deep.equal(checkpoints[0]);
    expect(checkpoints[2]).to.deep.equal(checkpoints[0]);
    // And given any other rows but the same releases, the states are equal, since states are made of nothing else.
    const stream = privateOnline({ ...LOOSE, random: seeded(1, 'noise') });
    let state = stream.plan.rule.init(stream.plan.start);
    for (const text of checkpoints[0]!) {
      const checkpoint = fromText(text) as PrivateCheckpoint;
      expect(state).to.deep.equal(checkpoint.state);
      state = stream.resumed(checkpoint);
    }
  });

  it('keeps the caps of units over kinds of releases and restarts', async () => {
    const unit = { perChunk: 2, most: 5 };
    const key = new Uint8Array(32).fill(9);
    const counts = new Map<number, number[]>();
    let saved = new Uint8Array(0);
    let from: PrivateCheckpoint | undefined;
    const options = { ...LOOSE, epsilon: 100, unit };
    for (const stopAt of [2, 5, 9, 12]) {
      const stream = privateOnline({ ...options, random: seeded(stopAt, 'noise') });
      const units = unitTable({ key, ...unit, saved });
      const first = from === undefined ? 0 : from.release.step + 1;
      const rows = rowsFrom(stream.plan.rowsBefore(first), { units: true });
      await lastValueFrom(
        stream
          .run(rows, {
            units,
            ...(from && { from }),
            write: async (checkpoint, pending) => {
              from = checkpoint;
              saved = Uint8Array.of(...saved, ...pending!);
              const view = new DataView(pending!.buffer);
              for (let at = 0; at < pending!.length; at += 12) {
                const unitOf = view.getUint32(at);
                const all = counts.get(unitOf) ?? [];
                all.push(view.getUint32(at + 8) - all.reduce((sum, count) => sum + count, 0));
                counts.set(unitOf, all);
              }
            },
          })
          .pipe(take(stopAt - first)),
      );
    }
    expect(counts.size).to.equal(40);
    for (const perChunk of counts.values()) {
      expect(Math.max(...perChunk)).to.be.at.most(2);
      expect(perChunk.reduce((sum, count) => sum + count, 0)).to.be.at.most(5);
      expect(perChunk.reduce((sum, count) => sum + count ** 2, 0)).to.be.at.most(10);
    }
    const full = [...counts.values()].filter(all => all.reduce((sum, count) => sum + count, 0) === 5);
    expect(full.length).to.equal(40);
  });

  it('refuses a delta above 1e-6, a plan for units without their table, and rows whose errors name values', () => {
    const asked = { epsilon: 1, scaling: unitScaling(2) };
    expect(() => privateOnline({ ...asked, delta: 1e-5 })).to.throw('delta must be at most 1e-6 for a stream');
    const stream = privateOnline({ ...asked, delta: 1e-6, unit: { most: 3 } });
    expect(() => stream.run(rowsFrom(0), { write: noWrite })).to.throw('it needs a table that counts them so');
    const once = privateOnline({ ...asked, delta: 1e-6 });
    once.run(rowsFrom(0), { write: noWrite });
    expect(() => once.run(rowsFrom(0), { write: noWrite })).to.throw('has been run');
    const naming = { ...rowsFrom(0), namesRows: true };
    expect(() => privateOnline({ ...asked, delta: 1e-6 }).run(naming, { write: noWrite })).to.throw('forPrivate');
  });
});
