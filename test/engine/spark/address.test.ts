import { expect } from 'chai';
import { sparkAddress } from '../../../src/engine/spark/address.ts';
import { onSpark } from '../../../src/engine/spark/onSpark.ts';

describe('the address of a Spark Connect server', () => {
  it('has a host, a port, and TLS where a token leaves this machine', () => {
    expect(sparkAddress('sc://cluster', false)).to.deep.equal({ host: 'cluster', port: 15002, secure: false });
    expect(sparkAddress('sc://cluster:443', true)).to.deep.equal({ host: 'cluster', port: 443, secure: true });
    expect(sparkAddress('sc://127.0.0.1:15002', true).secure).to.equal(false);
    expect(sparkAddress('sc://[::1]:15002/', true)).to.deep.equal({ host: '[::1]', port: 15002, secure: false });
    expect(sparkAddress('sc://cluster:443/;use_ssl=true', false).secure).to.equal(true);
  });

  it('is refused where it is none, where it has a token, or would send one in the clear', () => {
    for (const url of ['cluster:15002', 'http://cluster', 'sc://', 'sc://host:99999', 'sc://host/;user_id=me'])
      expect(() => sparkAddress(url, false), url).to.throw(/must look like sc:\/\/host/);
    let said = '';
    try {
      sparkAddress('sc://host:1/;token=secret', false);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said)
      .to.match(/SLUICE_ENGINE_TOKEN/)
      .and.not.include('secret');
    expect(() => sparkAddress('sc://host/;use_ssl=false', true)).to.throw(/TLS only/);
  });

  it('is what rows are known by, and the token is not', () => {
    const rows = onSpark({ url: 'sc://cluster:15002', table: 'db.trips', token: 'secret' });
    expect(JSON.stringify(rows)).to.include('db.trips').and.not.include('secret');
    expect(() => onSpark({ url: 'sc://cluster' })).to.throw(/either `table` or `path`/);
  });
});
