import { expect } from 'chai';
import { cellFrames } from '../../../src/sample/shuffle/scratchCells.ts';

const rows = 4000;
const features = 99;
const column = Float64Array.from({ length: rows }, (_, i) => i);
const batch = { rows, columns: Array.from({ length: features }, () => column), target: column };
const layout = { sizes: [rows / 2, rows / 2], features, weighted: false };
/** Rows go to the two cells by turns. */
const cell = Uint32Array.from({ length: rows }, (_, i) => i % 2);

describe('cellFrames', () => {
  it("writes a cell's rows side by side, from the place on that the cells before it leave", () => {
    const file = new Uint8Array(rows * (features + 1) * 8);
    let calls = 0;
    const frames = cellFrames(layout, (bytes, position) => {
      calls++;
      file.set(bytes, position);
    });
    frames.add(batch, cell);
    expect(calls).to.be.above(2);
    frames.flush();
    const written = calls;
    frames.flush();
    expect(calls).to.equal(written);
    const places = Array.from({ length: rows }, (_, place) =>
      place < rows / 2 ? 2 * place : 2 * (place - rows / 2) + 1,
    );
    const expected = places.flatMap(row => Array.from({ length: features + 1 }, () => row));
    expect(new Float64Array(file.buffer)).to.deep.equal(Float64Array.from(expected));
  });

  it('fails where writing fails', () => {
    const frames = cellFrames(layout, () => {
      throw new Error('no space left');
    });
    expect(() => frames.add(batch, cell)).to.throw('no space left');
  });

  it('holds no more than 64 MiB, however many cells there are', () => {
    const sizes = [rows, ...Array.from({ length: 49_999 }, () => 1)];
    const lengths: number[] = [];
    const frames = cellFrames({ sizes, features, weighted: false }, bytes => lengths.push(bytes.length));
    frames.add(batch, new Uint32Array(rows));
    expect(Math.max(...lengths)).to.be.at.most(2 ** 26 / sizes.length);
  });
});
