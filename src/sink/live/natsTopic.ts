import { type BrokerAddress, type BrokerSecurity, connectNats, otherWriter } from '../../broker.ts';
import { ArgumentError } from '../../errors.ts';
import { peer } from '../../peers.ts';
import type { Topic } from './topic.ts';

/** The server's code for a record that is not behind the one it was to follow. */
const WRONG_LAST_SEQUENCE = [10071, 10164];

/** A subject that a stream of JetStream stores. Alone, a record is stored only behind the last that was seen. */
export async function natsTopic(address: BrokerAddress, security: BrokerSecurity, isAlone: boolean): Promise<Topic> {
  const { label, name: subject } = address;
  const use = 'publishing to NATS';
  const { jetstream, jetstreamManager } = await peer('@nats-io/jetstream', use);
  const { headers } = await peer('@nats-io/transport-node', use);
  const connection = await connectNats(address, security, use);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const stream = await manager.streams.find(subject).catch(error => {
      if (!/no stream/.test(error.message)) throw error;
      throw new ArgumentError(
        `${label} is stored by no stream; make a JetStream stream with that subject`,
        'ERR_FILE',
        { topic: label },
      );
    });
    const client = jetstream(connection);
    let behind: number | undefined;
    const last = async () => {
      const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
      behind = found?.seq ?? 0;
      return found && { id: found.header.get('Nats-Msg-Id'), bytes: found.data };
    };
    return {
      last,
      append: async ({ id, bytes }, fields) => {
        if (isAlone && behind === undefined) await last();
        const all = headers();
        for (const [name, value] of Object.entries(fields)) all.set(name, value);
        const expect = isAlone ? { expect: { lastSubjectSequence: behind! } } : {};
        const { seq } = await client.publish(subject, bytes, { msgID: id, headers: all, ...expect }).catch(error => {
          throw WRONG_LAST_SEQUENCE.includes(error.code) ? otherWriter(label) : error;
        });
        behind = seq;
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
