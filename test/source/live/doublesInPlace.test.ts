import { Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { liveSchema } from '../../../src/source/live/liveSchema.ts';
import type { Arrival, OpenLiveOptions } from '../../../src/source/live/liveSource.ts';
import { arrivalsOf } from '../../../src/source/live/records.ts';
import { arrivedRows } from '../../support/arrivedRows.ts';

const COLUMNS = { a: 'number', b: 'number' } as const;

/** What messages become, one after another: the rows of each, and the reasons of dead letters. */
async function read(messages: readonly Uint8Array[], forPrivate = false): Promise<unknown[]> {
  const told: unknown[] = [];
  const options: OpenLiveOptions = {
    from: null,
    forPrivate,
    columns: COLUMNS,
    ...(!forPrivate && { onDeadLetter: async ({ reason }) => void told.push(reason) }),
  };
  const groups = (async function* () {
    for (const [place, bytes] of messages.entries()) yield [{ place, bytes }];
  })();
  for await (const { batch } of arrivalsOf(groups, { ...options, name: 'x', schema: await liveSchema(options) }))
    told.push(rowsOf(batch));
  return told;
}

const rowsOf = (batch: Arrival['batch']): string =>
  JSON.stringify(arrivedRows(batch).map(row => [String(row.a), String(row.b)]));

const message = (rows: number, from = 0): Uint8Array =>
  tableToIPC(
    tableFromArrays({
      b: Float64Array.from({ length: rows }, (_, i) => (from + i) / 3),
      more: new Float64Array(rows),
      a: Float64Array.from({ length: rows }, (_, i) => from - i),
    }),
    'stream',
  );

describe('doubles in place', () => {
  it('are those that reading gives, whatever comes before, between and behind', async () => {
    const others = [
      message(7, 100),
      message(0),
      message(2000),
      tableToIPC(new Table([...tableFromArrays(columns(3)).batches, ...tableFromArrays(columns(2)).batches]), 'stream'),
      tableToIPC(tableFromArrays({ a: [1, null, 3], b: [1, 2, 3] }), 'stream'),
      tableToIPC(tableFromArrays({ a: Float64Array.of(Number.NaN, 2), b: Float64Array.of(1, Infinity) }), 'stream'),
      // Its bytes begin at any address.
      Uint8Array.from([0, ...message(5)]).subarray(1),
      message(9).subarray(0, -8),
      sliced(),
    ];
    for (const forPrivate of [false, true]) {
      for (const other of others) {
        const alone = await read([other], forPrivate);
        const after = await read([message(4), other, message(3), other], forPrivate);
        const [first, ...rest] = after;
        expect(first).to.equal((await read([message(4)], forPrivate))[0]);
        expect(rest).to.deep.equal([...alone, ...(await read([message(3)], forPrivate)), ...alone]);
      }
    }
  });

  it('go the long way when a message is damaged, which says the same as without one before', async () => {
    const random = seeded(5, 'damage');
    const good = message(20);
    for (let round = 0; round < 400; round++) {
      const bad = Uint8Array.from(good);
      // Most damage to metadata, which is shorter than the numbers.
      const limit = round % 3 === 0 ? bad.length : 900;
      for (let flips = 0; flips <= round % 3; flips++)
        bad[Math.floor(uniform(random) * limit)] = Math.floor(uniform(random) * 256);
      const cut = round % 7 === 0 ? bad.subarray(0, Math.floor(uniform(random) * bad.length)) : bad;
      expect((await read([good, cut])).slice(1)).to.deep.equal(await read([cut]));
      expect((await read([good, cut], true)).slice(1)).to.deep.equal(await read([cut], true));
    }
  });
});

const columns = (rows: number) => ({ a: new Float64Array(rows).fill(7), b: new Float64Array(rows).fill(8) });

/** A batch whose buffers are longer than its rows. */
function sliced(): Uint8Array {
  const [batch] = tableFromArrays(columns(50)).batches;
  return tableToIPC(new Table([batch!.slice(10, 13)]), 'stream');
}
