/** Connections to NATS that break in the middle of what is read. */
import { expect } from 'chai';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { natsStream } from '../../../src/source/live/nats.ts';
import { labelledRow, labelsOf, opening, range } from '../support/labelledRows.ts';
import { type NatsServer, natsServer } from '../support/natsServer.ts';
import { type NatsTools, natsTools } from '../support/natsStreams.ts';
import { type Cutting, proxyTo } from '../support/proxy.ts';

describe('a connection to NATS that breaks', () => {
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
  /** The labels of so many rows, read through a proxy, and the number of connections that it took. */
  const through = async (stream: string, rows: number, cutting: Cutting) => {
    const proxy = await proxyTo(server.port, cutting);
    try {
      const source = natsStream(`nats://127.0.0.1:${proxy.port}/${stream}`);
      const opened = await source.open(opening({ columns: { label: 'number' } }));
      const { labels } = await labelsOf(opened, rows);
      return { labels, connections: proxy.connections() };
    } finally {
      await proxy.close();
    }
  };

  it('within a group of messages loses none of the group', async () => {
    await tools.make('gap');
    await tools.publish('gap.x', range(0, 20).map(labelledRow));
    await tools.manager.streams.deleteMessage('gap', 11);
    // The server is asked about the gap behind the tenth message, and never is.
    let [hasMessages, isCut] = [false, false];
    const cutting: Cutting = {
      answered: said => {
        hasMessages ||= said.includes('"label"');
        return undefined;
      },
      asked: said => {
        const isThis = hasMessages && !isCut && said.includes('STREAM.INFO.gap');
        isCut ||= isThis;
        return isThis;
      },
    };
    const { labels, connections } = await through('gap', 19, cutting);
    expect(labels).to.deep.equal(range(0, 20).filter(label => label !== 10));
    expect([isCut, connections]).to.deep.equal([true, 2]);
  });

  it('after any byte loses and repeats nothing', async () => {
    const rows = 3000;
    await tools.make('cut');
    await tools.publish('cut.x', range(0, rows).map(labelledRow));
    const random = seeded(1, 'cuts');
    const left = new Map<number, number>();
    const answered = (said: Buffer, connection: number): number | undefined => {
      // Every connection is good for some messages, so that the stream comes to its end.
      const most = left.get(connection) ?? 20_000 + Math.floor(80_000 * uniform(random));
      left.set(connection, most - said.length);
      return said.length > most ? most : undefined;
    };
    const { labels, connections } = await through('cut', rows, { answered });
    expect(labels).to.deep.equal(range(0, rows));
    expect(connections).to.be.above(4);
  });
});
