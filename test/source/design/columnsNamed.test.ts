import { expect } from 'chai';
import { columnsNamed, designOf } from '../../../src/source/design/designOf.ts';
import type { Field, Schema } from '../../../src/source/table/table.ts';

const number = (name: string): Field => ({ name, type: 'Float64', kind: 'float', width: 1 });
const vector = (name: string, width: number): Field => ({
  name,
  type: 'FixedSizeList',
  kind: 'vector',
  width,
});
const schemaOf = (...fields: readonly Field[]): Schema => ({ name: 'table', fields });

describe('columnsNamed', () => {
  it('finds the vector behind its elements, once', () => {
    const schema = schemaOf(number('x'), vector('v', 2), number('y'));
    expect(columnsNamed(schema, ['x', 'v[0]', 'v[1]'])).to.deep.equal(['x', 'v']);
    const features = ['x', 'v[0]', 'v[1]'];
    const design = designOf(schema, { target: 'y', features, namedByResult: true });
    expect(design.features.map(({ name }) => name)).to.deep.equal(features);
  });

  it('takes a column that bears the very name', () => {
    expect(columnsNamed(schemaOf(number('a[0]'), number('b')), ['a[0]', 'b'])).to.deep.equal(['a[0]', 'b']);
    expect(columnsNamed(schemaOf(number('a[0]'), number('a')), ['a[0]', 'a'])).to.deep.equal(['a[0]', 'a']);
  });

  it('leaves to others what is not there or listed twice', () => {
    expect(columnsNamed(schemaOf(number('x')), ['x', 'x', 'v[0]'])).to.deep.equal(['x', 'x', 'v[0]']);
    const asked = { features: ['v[1]'] };
    expect(() => designOf(schemaOf(vector('v', 2)), asked)).to.throw('has no column "v[1]"');
  });
});
