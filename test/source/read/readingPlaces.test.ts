import { expect } from 'chai';
import type { Design } from '../../../src/source/design/design.ts';
import type { ThreadOptions } from '../../../src/source/read/columnThreads.ts';
import { readingPlaces } from '../../../src/source/read/readingPlaces.ts';
import type { Table } from '../../../src/source/table/table.ts';

const design: Design = {
  features: [{ name: 'x', field: 0 }],
  target: { name: 'y', field: 1 },
  categorical: {},
};
const options: ThreadOptions = {
  tables: [{ name: 'rows.parquet', format: 'parquet' } as Table],
  designs: [design],
  lenient: false,
  batchRows: 16,
  rows: 2 ** 22,
  threads: 2,
};

/** Places whose first takes a thread that nobody started, and whether that was ended. */
function placesOfOneThread() {
  let ended = 0;
  const places = readingPlaces(design, options, {
    ask: async () => null,
    close: async () => {
      ended++;
    },
  });
  return { places, ended: () => ended };
}

describe('readingPlaces', () => {
  it('keep their threads from one pass to the next, until they are closed', async () => {
    const { places, ended } = placesOfOneThread();
    const place = places.take();
    places.give(place);
    expect(places.take()).to.equal(place);
    places.give(place);
    expect(ended()).to.equal(0);
    await places.close();
    expect(ended()).to.equal(1);
  });

  it('end the threads of a pass that gives its place back after they were closed', async () => {
    const { places, ended } = placesOfOneThread();
    const place = places.take();
    await places.close();
    expect(ended()).to.equal(0);
    places.give(place);
    expect(ended()).to.equal(1);
    expect(places.idle).to.have.length(0);
  });

  it('end a thread that no pass has taken', async () => {
    const { places, ended } = placesOfOneThread();
    await places.close();
    expect(ended()).to.equal(1);
  });
});
