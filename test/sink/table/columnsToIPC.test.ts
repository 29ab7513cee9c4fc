import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { columnsToIPC } from '../../../src/sink/table/columnsToIPC.ts';

describe('columnsToIPC', () => {
  it('writes texts and doubles that come back as they were', async () => {
    const columns = { name: ['one', 'zwei', ''], value: [1.5, -0, Infinity] };
    const table = tableFromIPC(await columnsToIPC(columns));
    expect(table.schema.fields.map(field => `${field.name} ${field.type}`)).to.deep.equal([
      'name Utf8',
      'value Float64',
    ]);
    expect([...table.getChild('name')!]).to.deep.equal(columns.name);
    expect([...table.getChild('value')!]).to.deep.equal(columns.value);
  });
});
