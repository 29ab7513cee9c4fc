import { expect } from 'chai';
import { oneAhead } from '../../../src/source/read/tableSamples.ts';

/** Makes 0, 1, ... `count` - 1, and notes what is begun and what is done. */
function maker(count: number) {
  const log: string[] = [];
  let made = 0;
  const fill = async (slot: number): Promise<number | undefined> => {
    const value = made++;
    log.push(`begin ${value} in ${slot}`);
    await new Promise(resolve => setImmediate(resolve));
    log.push(`done ${value}`);
    return value < count ? value : undefined;
  };
  return { fill, log };
}

const collected = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
};

describe('oneAhead', () => {
  it('gives everything in order, and nothing where there is nothing', async () => {
    expect(await collected(oneAhead(maker(5).fill))).to.deep.equal([0, 1, 2, 3, 4]);
    expect(await collected(oneAhead(maker(0).fill))).to.deep.equal([]);
  });

  it('has the next one begun in the other slot before it hands one on, and no more than that', async () => {
    const { fill, log } = maker(3);
    const seen: (readonly string[])[] = [];
    for await (const _ of oneAhead(fill)) seen.push(log.filter(entry => entry.startsWith('begin')));
    expect(seen).to.deep.equal([
      ['begin 0 in 0', 'begin 1 in 1'],
      ['begin 0 in 0', 'begin 1 in 1', 'begin 2 in 0'],
      ['begin 0 in 0', 'begin 1 in 1', 'begin 2 in 0', 'begin 3 in 1'],
    ]);
  });

  it('waits for the one that is being made when it is left early', async () => {
    const { fill, log } = maker(5);
    for await (const _ of oneAhead(fill)) break;
    expect(log.at(-1)).to.equal('done 1');
  });

  it('fails where making fails, once all before it were handed on', async () => {
    const { fill } = maker(5);
    const seen: number[] = [];
    const failing = async (slot: number): Promise<number | undefined> => {
      const value = await fill(slot);
      if (value === 2) throw new Error('no third');
      return value;
    };
    const failed = await (async () => {
      for await (const value of oneAhead(failing)) seen.push(value);
    })().catch((error: Error) => error.message);
    expect(failed).to.equal('no third');
    expect(seen).to.deep.equal([0, 1]);
  });
});
