import { expect } from 'chai';
import { missingPeer, peer } from '../src/peers.ts';

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('it was loaded'),
    error => error,
  );

describe('peer', () => {
  it('loads a package that is installed', async () => {
    expect(await peer('@resvg/resvg-js', 'a picture')).to.have.property('Resvg');
  });

  it('names a package that is not, what needs it, and how to install it', async () => {
    const error = await failure(peer('no-such-package' as '@resvg/resvg-js', 'a picture'));
    expect(error).to.have.property('name', 'ArgumentError');
    expect(error.message)
      .to.equal(missingPeer('no-such-package', 'a picture').message)
      .and.equal(
        'a picture needs the optional package no-such-package, which is not installed; run npm install no-such-package',
      );
  });

  it('passes on what else goes wrong', async () => {
    const broken = 'data:text/javascript,throw new RangeError("broken")' as '@resvg/resvg-js';
    expect(await failure(peer(broken, 'a picture'))).to.be.an.instanceOf(RangeError);
  });
});
