import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { chained, NO_HASH, unchained } from '../../../src/privacy/ledgerFile/record.ts';

const withoutBreak = (line: Buffer): Buffer => line.subarray(0, -1);

describe('a chain of lines', () => {
  const first = chained(NO_HASH, { kind: 'a', at: 0.1 });
  const second = chained(first.hash, { kind: 'b', name: 'Übung "1"\n' });

  it('is one JSON object a line, whose last member is the hash of the hash before and of the rest', () => {
    const hash = createHash('sha256').update('{"kind":"a","at":0.1}').digest('hex');
    expect(first.line.toString()).to.equal(`{"kind":"a","at":0.1,"hash":"${hash}"}\n`);
    expect(JSON.parse(second.line.toString())).to.deep.equal({
      kind: 'b',
      name: 'Übung "1"\n',
      hash: createHash('sha256').update(`${hash}{"kind":"b","name":"Übung \\"1\\"\\n"}`).digest('hex'),
    });
  });

  it('gives back what went in', () => {
    expect(unchained(NO_HASH, withoutBreak(first.line))).to.deep.equal({
      body: { kind: 'a', at: 0.1 },
      hash: first.hash,
    });
    expect(unchained(first.hash, withoutBreak(second.line))?.hash).to.equal(second.hash);
  });

  it('takes no line after another than its own, shorter, longer or with a single bit flipped', () => {
    const line = withoutBreak(second.line);
    expect(unchained(NO_HASH, line)).to.equal(null);
    for (let length = 0; length < line.length; length++) {
      expect(unchained(first.hash, line.subarray(0, length))).to.equal(null);
    }
    expect(unchained(first.hash, Buffer.concat([line, Buffer.from(' ')]))).to.equal(null);
    for (let bit = 0; bit < 8 * line.length; bit++) {
      const changed = Buffer.from(line);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(unchained(first.hash, changed), `bit ${bit}`).to.equal(null);
    }
  });
});
