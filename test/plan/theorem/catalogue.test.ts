import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { catalogue, theoremNamed } from '../../../src/plan/theorem/catalogue.ts';
import * as theorems from '../../../src/plan/theorem/theorems.ts';

describe('the catalogue of theorems', () => {
  it('holds every theorem once, under the name of its function', () => {
    const functions = Object.keys(theorems).filter(name => !name.endsWith('Geometry'));
    expect(catalogue().map(({ name }) => name)).to.have.members(functions);
    expect(new Set(catalogue().map(({ label }) => label)).size).to.equal(catalogue().length);
  });

  it('knows which theorems are private', () => {
    expect(
      catalogue()
        .filter(({ isPrivate }) => isPrivate)
        .map(({ label }) => label),
    ).to.deep.equal([
      'UPRidge',
      'NOPLconvDPFW',
      'ERM_GLM_UP_General',
      'ERM_UP_C_Inc',
      'Iter_Rate_Inc_C',
      'ERM_GLM_UP',
      'Priv_HT_GD_Smooth',
      'Priv_HT_AGD_Smooth',
      'Util_Priv_SGD',
    ]);
  });

  it('prescribes under the label that it states', () => {
    const curved = { rows: 10_000, failureProbability: 0.1, features: 5, smoothness: 3, strongConvexity: 2 };
    const found = theoremNamed('glmhtgd');
    expect(found.prescribe(curved)).to.deep.equal(theorems.glmHtGd(curved));
    expect(found.prescribe(curved).theorem).to.equal(found.label);
  });

  it('finds theorems by label, by another label and by function, in any case', () => {
    for (const theorem of catalogue()) {
      for (const name of [theorem.label, theorem.name, ...theorem.otherLabels]) {
        expect(theoremNamed(name.toUpperCase())).to.equal(theorem);
        expect(theoremNamed(name.toLowerCase())).to.equal(theorem);
      }
    }
    expect(theoremNamed('AGD').label).to.equal('htAGD');
  });

  it('lists all theorems to whoever asks for another', () => {
    const all = catalogue().map(({ label }) => label);
    expect(() => theoremNamed('LBRidge'))
      .to.throw(ArgumentError, 'got "LBRidge"')
      .with.property('message')
      .that.satisfies((message: string) => [...all, 'AGD'].every(label => message.includes(label)));
  });
});
