import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { split } from '../../../src/flow/split.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { gather } from '../../../src/sample/gather.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { pilotPlaces } from '../../../src/sample/shuffle/pilotPlaces.ts';
import { scatter } from '../../../src/sample/shuffle/scatter.ts';

describe('pilotPlaces', () => {
  it('says where scattered rows were in the file', async () => {
    const numbers = Float64Array.from({ length: 1000 }, (_, i) => i);
    const cells = [100, 250, 250, 400];
    const shuffled = scatter(samplesOf(sampleBatch([numbers], numbers)), { cells, random: seeded(1, 'x') });
    const [chunk] = await lastValueFrom(split(shuffled, { chunks: [600] }).pipe(toArray()));
    const { target } = await gather(chunk!.batches, 600, 1);
    expect([...pilotPlaces(cells, 600, seeded(1, 'x'))]).to.deep.equal([...target]);
    await shuffled.close();
  });

  it('keeps to whole cells, since a part of one is no random share', () => {
    expect(pilotPlaces([100, 250, 650], 349, seeded(1, 'x')).length).to.equal(100);
    expect(pilotPlaces([100, 250, 650], 99, seeded(1, 'x')).length).to.equal(0);
  });

  it('is the order of the file without a shuffle', () => {
    expect([...pilotPlaces([3, 4], 5, null)]).to.deep.equal([0, 1, 2, 3, 4]);
    expect([...pilotPlaces([3], 5, null)]).to.deep.equal([0, 1, 2]);
  });
});
