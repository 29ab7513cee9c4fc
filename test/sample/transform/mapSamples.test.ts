import { expect } from 'chai';
import { gather } from '../../../src/sample/gather.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { mapSamples } from '../../../src/sample/transform/mapSamples.ts';

describe('mapSamples', () => {
  const samples = samplesOf(sampleBatch([Float64Array.of(1, 2)], Float64Array.of(5, 6)));

  it('keeps the number of features unless told', () => {
    expect(mapSamples(samples, batch => batch).features).to.equal(1);
  });

  it('gives rows other features', async () => {
    const powers = mapSamples(
      samples,
      ({ columns: [x], target, rows }) => ({ columns: [x!, x!.map(value => value ** 2)], target, rows }),
      2,
    );
    expect(powers.features).to.equal(2);
    const { columns, target } = await gather(powers.batches(), 2, 2);
    expect(columns.map(column => [...column])).to.deep.equal([
      [1, 2],
      [1, 4],
    ]);
    expect([...target]).to.deep.equal([5, 6]);
  });
});
