import { Table as ArrowTable, LargeUtf8, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { openArrowFile } from '../../../src/source/arrow/openArrowFile.ts';
import { withFile } from '../../support/arrowFiles.ts';
import { observeReads } from '../../support/arrowReads.ts';

describe('texts', () => {
  for (const type of [new Utf8(), new LargeUtf8()]) {
    it(`of type ${type} are read in pieces, and not at all where they are longer than every level`, async () => {
      const long = 'x'.repeat(2 ** 21);
      const level = 'a level of some length';
      const values = Array.from({ length: 70000 }, (_, i) => (i === 30000 ? long : i % 3 === 0 ? level : `${i}`));
      const bytes = tableToIPC(new ArrowTable({ text: vectorFromArray(values, type) }), 'file');
      await withFile(bytes, async path => {
        const table = await openArrowFile(path);
        const [out, missing] = [new Float64Array(values.length), new Uint8Array(values.length)];
        await observeReads(async reads => {
          for await (const frame of table.frames([0])) {
            await frame.fillLevels({
              field: 0,
              start: 0,
              count: values.length,
              out,
              missing,
              levels: ['7', level],
            });
          }
          expect(reads.bytes).to.be.below(bytes.length - 2 ** 21);
        });
        expect([...out]).to.deep.equal(values.map(value => ['7', level].indexOf(value)));
        for await (const frame of table.frames([0])) {
          await frame.fillLevels({ field: 0, start: 29999, count: 3, out, missing, levels: [long] });
        }
        expect([...out.subarray(0, 3)]).to.deep.equal([-1, 0, -1]);
        await table.close();
      });
    });
  }
});
