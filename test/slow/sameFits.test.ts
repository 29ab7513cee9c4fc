import { expect } from 'chai';
import { bundleOfCli } from '../support/runCli.ts';
import { differingFits, FITS } from '../support/sameFits.ts';

describe('the model files of fits that must stay as they are', () => {
  it(`are the same to the byte: ${FITS.length} of them`, async () => {
    const found = await differingFits([process.execPath, ...bundleOfCli()]);
    expect(found.map(({ fit, paths }) => `${fit}\n${paths.join('\n')}`)).to.deep.equal([]);
  });
});
