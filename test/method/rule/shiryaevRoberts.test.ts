import { expect } from 'chai';
import { fromText, toText } from '../../../src/math/plainData.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { shiryaevRoberts } from '../../../src/method/rule/shiryaevRoberts.ts';
import { falseAlarms } from '../../support/onlineStatistics.ts';

/** The first alarm of series that get `shift` added in their first coordinate from `from` on. */
function firstAlarm(seed: number, shift: number, from: number, chunks: number): { at: number; series: number } | null {
  const watch = shiryaevRoberts();
  const random = seeded(seed, 'watch');
  let state = watch.begin(4);
  for (let t = 1; t <= chunks; t++) {
    const values = Float64Array.from({ length: 4 }, (_, j) => normal(random) + (j === 1 && t > from ? shift : 0));
    const next = watch.next(state, values);
    state = next.watch;
    if (next.alarm !== null) return { at: t, series: next.alarm };
  }
  return null;
}

describe('shiryaevRoberts', () => {
  it('is silent for 2 in 3 of 3,000 chunks and more, where values are independent and normal', () => {
    // The mean run is at least 10,000 chunks, so 30,000 have 3 alarms on average, and 12 or more once in 10,000 times.
    expect(falseAlarms('independent, normal', 30_000)).to.be.below(4);
  });

  it('finds a change and names its series, sooner the larger it is', () => {
    const delays = [1, 2, 3].map(shift => {
      const found = firstAlarm(1, shift, 500, 700)!;
      expect(found.series).to.equal(1);
      return found.at - 500;
    });
    expect(delays[0]).to.be.within(5, 60);
    expect(delays[1]).to.be.at.most(delays[0]!);
    expect(delays[2]).to.be.within(1, 9);
  });

  it('judges nothing before the hundredth value', () => {
    expect(firstAlarm(2, 20, 60, 100)).to.equal(null);
  });

  it('begins anew after an alarm', () => {
    const watch = shiryaevRoberts({ threshold: 20 });
    const random = seeded(3, 'watch');
    let state = watch.begin(1);
    const alarms: number[] = [];
    for (let t = 0; t < 400; t++) {
      const next = watch.next(state, Float64Array.of(normal(random) + (t > 150 ? 2 : 0)));
      state = next.watch;
      if (next.alarm !== null) alarms.push(t);
    }
    expect(alarms.length).to.be.above(5);
    alarms.slice(1).forEach((at, k) => {
      expect(at - alarms[k]!).to.be.above(1);
    });
  });

  it('passes over what is not a number, and is not deafened by one wild value', () => {
    const watch = shiryaevRoberts();
    const random = seeded(4, 'watch');
    let state = watch.begin(2);
    let alarm: number | null = null;
    for (let t = 1; alarm === null && t < 900; t++) {
      const values = Float64Array.of(
        t % 2 ? NaN : normal(random),
        t === 300 ? 1e9 : normal(random) + (t > 500 ? 2 : 0),
      );
      ({ watch: state, alarm } = watch.next(state, values));
      if (alarm !== null) expect([alarm, t > 500 && t < 530]).to.deep.equal([1, true]);
    }
    expect(alarm).to.equal(1);
  });

  it('has a state of plain data, which goes on to the same bits after a clone or a text', () => {
    const watch = shiryaevRoberts();
    const random = seeded(5, 'watch');
    let states = [0, 1, 2].map(() => watch.begin(3));
    for (let t = 0; t < 150; t++) {
      const values = Float64Array.from({ length: 3 }, () => normal(random));
      const before = [states[0]!, structuredClone(states[1]), fromText(toText(states[2]))];
      const kept = structuredClone(before[0]);
      states = before.map(state => watch.next(state, values).watch);
      expect(before[0]).to.deep.equal(kept);
      expect(states[1]).to.deep.equal(states[0]);
      expect(states[2]).to.deep.equal(states[0]);
    }
  });
});
