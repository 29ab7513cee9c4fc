import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { estimateLine, ndjsonOutput } from '../../../src/sink/live/ndjson.ts';
import { liveEstimate } from '../../support/liveEstimates.ts';

describe('estimates as lines of JSON', () => {
  it('hold every number in full, coefficients by name', () => {
    const estimate = liveEstimate(7, {}, ['hour', 'a "line"\nbreak']);
    const line = estimateLine(estimate);
    expect(line.match(/\n/g)).to.have.length(1);
    const { coefficients, ...rest } = JSON.parse(line);
    const { coefficients: given, ...others } = estimate;
    expect(rest).to.deep.equal(JSON.parse(JSON.stringify(others)));
    expect(coefficients['hour'].estimate).to.equal(given[0]!.estimate);
    expect(coefficients['a "line"\nbreak'].anyTime).to.deep.equal(given[1]!.anyTime);
  });

  it('wait for a slow reader, and not for one that has gone', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const { publish } = ndjsonOutput(stream);
    let isDone = false;
    const first = publish(liveEstimate(1)).then(() => {
      isDone = true;
    });
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(isDone).to.equal(false);
    stream.resume();
    await first;
    stream.destroy();
    await publish(liveEstimate(2));
  });
});
