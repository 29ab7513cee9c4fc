import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type ReadersOptions, readers } from '../../../src/sink/live/events.ts';

/** A reader whose line takes as many writes as it is told. */
function line(room: number) {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    write: (text: string) => {
      written.push(text);
      return written.length < room;
    },
    end: () => response.emit('close'),
    destroy: () => response.emit('close'),
  });
  return { written, response: response as unknown as ServerResponse };
}

describe('readers of events', () => {
  const open = (options: Partial<ReadersOptions> = {}) =>
    readers({ newcomer: () => ({ kind: 'snapshot', data: 'all' }), ...options });

  it('that are slow are told nothing until they can take it, and then the whole state once', () => {
    const audience = open();
    const { written, response } = line(3);
    audience.join(response, undefined);
    for (let k = 0; k < 1000; k++) audience.send('estimate', k, true);
    expect(written).to.have.length(3);
    response.emit('drain');
    expect(written).to.have.length(4);
    expect(written[3]).to.match(/^id: [\da-f]{8}-1000\nevent: snapshot\ndata: "all"\n\n$/);
    audience.end();
  });

  it('that take nothing for too long are cut off', async () => {
    const audience = open({ patience: 10 });
    audience.join(line(1).response, undefined);
    audience.join(line(9).response, undefined);
    expect(audience.count).to.equal(2);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(audience.count).to.equal(1);
    audience.end();
    expect(audience.count).to.equal(0);
  });

  it('hear something while nothing happens, and are told when to come back', async () => {
    const audience = open({ beat: 5 });
    const { written, response } = line(99);
    audience.join(response, undefined);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(written[0]).to.match(/^retry: \d+\n\n/);
    expect(written[1]).to.equal('event: beat\ndata: 0\n\n');
    audience.end();
  });
});
