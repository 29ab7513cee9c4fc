import { expect } from 'chai';
import { natsStream } from '../../../src/source/live/nats.ts';
import { labelledBatch, labelledRow, labelsOf, opening } from '../support/labelledRows.ts';
import { type NatsServer, natsServer } from '../support/natsServer.ts';
import { type NatsTools, natsTools } from '../support/natsStreams.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('a stream of NATS', () => {
  let server: NatsServer;
  let tools: NatsTools;
  before(async () => {
    server = await natsServer();
    tools = await natsTools(server.port);
  });
  after(async () => {
    await tools.close();
    await server.remove();
  });

  it('gives every row once and in order, of rows and of batches', async () => {
    await tools.make('mixed');
    await tools.publish('mixed.rows', range(0, 3000).map(labelledRow));
    await tools.publish('mixed.batches', [labelledBatch(3000, 1000), labelledBatch(4000, 500)]);
    await tools.publish('mixed.more', range(4500, 5000).map(labelledRow));
    const stream = await natsStream(`${server.url}/mixed`).open(opening({ columns: { label: 'number' } }));
    const { labels, position } = await labelsOf(stream, 5000);
    expect(labels).to.deep.equal(range(0, 5000));
    expect(position.rows).to.equal(0);
    expect(position.after).to.include({ sequence: 3502 });
  });
});
