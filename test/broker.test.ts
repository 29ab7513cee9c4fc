import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { backOff, brokerAddress, brokerSecurity, type Session, sessions, within } from '../src/broker.ts';
import { ArgumentError } from '../src/errors.ts';

const withEnvironment = async (variables: Record<string, string>, work: () => Promise<void>): Promise<void> => {
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
};
const refusal = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('it was accepted'),
    error => error,
  );

describe('the address of a broker', () => {
  it('has hosts and what stands behind them', () => {
    expect(brokerAddress('nats://host:4222/trips')).to.deep.equal({
      broker: 'nats',
      servers: ['host:4222'],
      name: 'trips',
      label: 'nats://host:4222/trips',
    });
    expect(brokerAddress('kafka://a:9092,[::1]:9093/t.x').servers).to.deep.equal(['a:9092', '[::1]:9093']);
  });

  it('is refused with what it should be like', () => {
    for (const url of ['nats://host', 'http://host/x', 'nats:///x', 'kafka://host/a/b', 'trips'])
      expect(() => brokerAddress(url), url).to.throw(ArgumentError, 'like nats://host:4222/stream');
    expect(() => brokerAddress('nats://h/x', 'kafka')).to.throw(ArgumentError, 'be like kafka://host:9092/topic, got');
  });

  it('is refused with a password, which no message repeats', () => {
    for (const url of ['nats://me:secret@host/x', 'kafka://me:secret@host/x', 'nats://secret@host/x', 'x:secret@y']) {
      const error = (() => {
        try {
          return brokerAddress(url);
        } catch (thrown) {
          return thrown as ArgumentError;
        }
      })();
      expect(error).to.be.an.instanceOf(ArgumentError);
      expect(JSON.stringify([(error as Error).message, error]))
        .to.match(/_PASSWORD_FILE/)
        .and.not.match(/secret/);
    }
  });
});

describe('what the environment says about a broker', () => {
  it('comes from variables, or from files that they name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-broker-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'from a file\n');
    const variables = { SLUICE_KAFKA_USER: 'me', SLUICE_KAFKA_PASSWORD_FILE: file, SLUICE_KAFKA_TLS: 'on' };
    await withEnvironment(variables, async () => {
      const { user, password, tls } = await brokerSecurity('kafka');
      expect({ user, password, tls }).to.deep.equal({ user: 'me', password: 'from a file', tls: {} });
      expect((await brokerSecurity('nats')).user).to.equal(undefined);
    });
    rmSync(folder, { recursive: true });
    await withEnvironment(variables, async () => {
      expect((await refusal(brokerSecurity('kafka'))).message).to.match(/SLUICE_KAFKA_PASSWORD_FILE cannot be read/);
    });
    await withEnvironment({ SLUICE_NATS_TOKEN: 'a', SLUICE_NATS_TOKEN_FILE: 'b' }, async () => {
      expect(await refusal(brokerSecurity('nats'))).to.have.property('code', 'ERR_CONFLICT');
    });
    await withEnvironment({ SLUICE_NATS_CA: 'pem', SLUICE_NATS_TLS: 'off' }, async () => {
      expect(await refusal(brokerSecurity('nats'))).to.have.property('code', 'ERR_CONFLICT');
    });
    await withEnvironment({ SLUICE_NATS_TLS: 'maybe' }, async () => {
      expect((await refusal(brokerSecurity('nats'))).message).to.match(/on or off/);
    });
  });

  it('is not repeated by what clients say', async () => {
    await withEnvironment({ SLUICE_NATS_USER: 'me', SLUICE_NATS_PASSWORD: 'hunter2' }, async () => {
      const { tell } = await brokerSecurity('nats');
      expect(tell(new Error('outer', { cause: new Error('no login as me:hunter2.') }))).to.equal('no login as me:…');
      expect(tell(new AggregateError([new Error('a'), new Error('hunter2 failed')], 'both'))).to.equal('… failed');
      expect(tell(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))).to.equal('ECONNREFUSED');
    });
  });
});

describe('the pause before a new attempt', () => {
  it('doubles up to half a minute, and is scattered over its upper half', () => {
    expect([0, 1, 2].map(attempt => backOff(attempt, 1))).to.deep.equal([250, 500, 1000]);
    expect([backOff(50, 0), backOff(5000, 1)]).to.deep.equal([15_000, 30_000]);
    expect(backOff(0, 0)).to.equal(125);
  });
});

describe('sessions', () => {
  const session = (...groups: (readonly number[] | Error)[]): Session<number> & { closed: number } => {
    const made = {
      closed: 0,
      next: async () => {
        const group = groups.shift() ?? new Error('the end');
        if (group instanceof Error) throw group;
        return group;
      },
      close: async () => void made.closed++,
    };
    return made;
  };
  const collected = async (first: Session<number>, later: (Session<number> | Error)[], most: number) => {
    const problems: (string | null)[] = [];
    const found: number[] = [];
    const open = async () => {
      const next = later.shift() ?? new ArgumentError('enough', 'ERR_CONFLICT', { argument: 'later' });
      if (next instanceof Error) throw next;
      return next;
    };
    const end = new AbortController();
    const options = { open, first, signal: end.signal, onProblem: (told: string | null) => void problems.push(told) };
    for await (const group of sessions({ ...options, tell: error => (error as Error).message })) {
      found.push(...group);
      if (found.length >= most) break;
    }
    return { found, problems };
  };

  it('follow each other, tell what is wrong meanwhile and when it is over, and close what broke', async () => {
    const [one, two] = [session([1, 2], new Error('gone')), session([], [3])];
    const { found, problems } = await collected(one, [new Error('away'), two], 3);
    expect(found).to.deep.equal([1, 2, 3]);
    expect(problems).to.deep.equal(['gone', 'away', null]);
    expect([one.closed, two.closed]).to.deep.equal([1, 1]);
  });

  it('end with what waiting will not mend', async () => {
    const broken = session([1], new ArgumentError('the stream is another one', 'ERR_CHANGED', { source: 'one' }));
    expect((await refusal(collected(broken, [], 9))).message).to.equal('the stream is another one');
    expect(broken.closed).to.equal(1);
  });

  it('end with the reason of the signal, also while they wait', async () => {
    const end = new AbortController();
    const waiting = { next: () => new Promise<never>(() => {}), close: async () => {} };
    const reading = sessions({ open: async () => waiting, first: waiting, signal: end.signal, tell: String }).next();
    end.abort(new Error('stop'));
    expect((await refusal(reading)).message).to.equal('stop');
  });
});

describe('within', () => {
  it('gives the value, or says what took too long', async () => {
    expect(await within(60_000, 'it', Promise.resolve(1))).to.equal(1);
    const late = refusal(within(1, 'the answer', new Promise(() => {})));
    expect((await late).message).to.equal('the answer took longer than 1 ms');
  });
});
