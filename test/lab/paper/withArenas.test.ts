import { expect } from 'chai';
import { type ArenaMaker, withArenas } from '../../../src/lab/paper/withArenas.ts';
import type { Arena } from '../../../src/sample/arena.ts';

describe('withArenas', () => {
  const taken = (rows: number): Promise<Arena> => withArenas(async arena => arena(7, rows));

  it('lends the same memory again where it is large enough', async () => {
    const first = await taken(100);
    expect(await taken(50)).to.equal(first);
    const larger = await taken(200);
    expect(larger.capacity).to.equal(200);
    expect(await taken(100)).to.equal(larger);
  });

  it('lends no arena to two at a time, and takes it back from a run that fails', async () => {
    await withArenas(async outer => {
      const mine = outer(7, 100);
      expect(await taken(100)).not.to.equal(mine);
      expect(outer(7, 100)).not.to.equal(mine);
    });
    let lent: Arena | undefined;
    const failing = (arena: ArenaMaker): never => {
      lent = arena(7, 10_000);
      throw new Error('planted');
    };
    const failure = await withArenas(async arena => failing(arena)).catch(String);
    expect(failure).to.include('planted');
    expect(await taken(10_000)).to.equal(lent);
  });
});
