import { expect } from 'chai';
import { featuresWithout } from '../../../src/source/design/design.ts';

const design = (...names: readonly string[]) => ({
  features: names.map((name, field) => ({ name, field })),
});

describe('featuresWithout', () => {
  it('lists the columns to keep as `features` has them', () => {
    expect(featuresWithout(design('a', 'b', 'z'), ['z'])).to.equal("leave it out: `features: ['a', 'b']`");
    expect(featuresWithout(design('a', 'Mass (g)', 'z', 'u'), ['z', 'u'])).to.equal(
      "leave them out: `features: ['a', 'Mass (g)']`",
    );
  });

  it('names columns of the table, not their levels or elements', () => {
    const town = { name: 'town=Ulm', field: 0, levels: ['Ulm', 'Bath'], level: 0 };
    const features = [
      town,
      { ...town, name: 'town=Bath', level: 1 },
      { name: 'v[0]', field: 1, element: 0 },
      { name: 'v[1]', field: 1, element: 1 },
      { name: 'z', field: 2 },
    ];
    expect(featuresWithout({ features }, ['z'])).to.equal("leave it out: `features: ['town', 'v']`");
    expect(featuresWithout({ features }, ['v'])).to.equal("leave it out: `features: ['town', 'z']`");
  });

  it('lists none where they are many, cannot be listed, or where none is left', () => {
    const many = Array.from({ length: 20 }, (_, k) => `x${k}`);
    const others = 'leave it out by naming the others in `features`';
    expect(featuresWithout(design(...many), ['x3'])).to.equal(others);
    expect(featuresWithout(design('a,b', 'z'), ['z'])).to.equal(others);
    expect(featuresWithout(design('z'), ['z'])).to.equal('name columns in `features` that have values');
  });
});
