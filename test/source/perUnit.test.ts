import { expect } from 'chai';
import fc from 'fast-check';
import { type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { perUnit } from '../../src/source/perUnit.ts';
import { rebatched } from '../support/descentFixtures.ts';

/** Rows whose feature and target are their index, of the given units; a unit of 0 marks a row that was left out. */
const rowsOf = (units: readonly number[]): SampleBatch => ({
  ...sampleBatch(
    [Float64Array.from(units, (_, i) => i), Float64Array.from(units)],
    Float64Array.from(units, (_, i) => i),
  ),
  weights: Float64Array.from(units, unit => (unit === 0 ? 0 : 1)),
});

async function weightsOf(units: readonly number[], most: number, size = units.length): Promise<number[]> {
  const limited = perUnit(rebatched(rowsOf(units), size), most);
  expect(limited).to.include({ rows: units.length, features: 1, weighted: true });
  const found: number[] = [];
  const labels: number[] = [];
  for await (const { columns, weights, target } of limited.batches()) {
    expect(columns).to.have.length(1);
    expect(columns[0]).to.deep.equal(target);
    labels.push(...target);
    found.push(...weights!);
  }
  expect(labels).to.deep.equal([...units.keys()]);
  return found;
}

describe('perUnit', () => {
  it('counts the first rows of every unit and leaves the others in their place with weight 0', async () => {
    expect(await weightsOf([1, 2, 1, 1, 3, 2, 2], 2)).to.deep.equal([1, 1, 1, 0, 1, 1, 0]);
    expect(await weightsOf([1, 2, 1, 1, 3, 2, 2], 1)).to.deep.equal([1, 1, 0, 0, 1, 0, 0]);
  });

  it('does not count rows that were left out before', async () => {
    expect(await weightsOf([1, 0, 0, 1, 1, 0], 2)).to.deep.equal(
      [1, 0, 0, 1, 1, 0].map((w, i) => (i === 4 ? 0 : w)),
    );
  });

  it('starts counting anew in every pass, and counts across batches', async () => {
    const limited = perUnit(rebatched(rowsOf([1, 1, 1, 2, 2]), 2), 1);
    for (let pass = 0; pass < 2; pass++) {
      const found: number[] = [];
      for await (const { weights } of limited.batches()) found.push(...weights!);
      expect(found).to.deep.equal([1, 0, 0, 1, 0]);
    }
  });

  it('lets no unit have more than its rows, and no unit change what becomes of the rows of another', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (units, most, size, whom) => {
        const weights = await weightsOf(units, most, size);
        for (const id of [1, 2, 3, 4]) {
          const own = units.flatMap((other, i) => (other === id ? [weights[i]!] : []));
          expect(own).to.deep.equal(own.map((_, k) => (k < most ? 1 : 0)));
        }
        // All rows of one unit replaced by those of a newcomer, some of which are invalid.
        const replaced = units.map((id, i) => (id === whom ? (i % 2 === 0 ? 9 : 0) : id));
        const changed = await weightsOf(replaced, most, size);
        units.forEach((id, i) => {
          if (id !== whom) expect(changed[i]).to.equal(weights[i]);
        });
      },
    );
    await fc.assert(property, { seed: 1, numRuns: 500 });
  });
});
