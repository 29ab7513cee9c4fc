import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answers,
  freePort,
  installed,
  runInstaller,
  type ServerProcess,
  serverProcess,
  storeFolder,
} from './serverProcess.ts';

const VERSION = '4.3.1';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sluice</groupId><artifactId>kafka-broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;

export interface KafkaBroker extends ServerProcess {
  /** `kafka://127.0.0.1:port`, without a topic. */
  readonly url: string;
  readonly host: string;
}

/**
 * A Kafka broker that is its own controller, from the jars of Maven alone. With `users`, clients log in by SASL/PLAIN.
 */
export async function kafkaBroker(users: Readonly<Record<string, string>> | null = null): Promise<KafkaBroker> {
  const place = installed(`kafka-${VERSION}`, folder => {
    const pom = join(folder, 'pom.xml');
    writeFileSync(pom, POM);
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'jars')}`];
    runInstaller('mvn', args, 'install Maven and a JDK of 17 or newer, by which the Kafka broker comes');
  });
  const [port, controller, internal] = [await freePort(), await freePort(), await freePort()];
  const folder = storeFolder('kafka');
  const properties = join(folder, 'server.properties');
  const logins = Object.entries(users ?? {}).map(([name, password]) => `user_${name}="${password}"`);
  const login = `org.apache.kafka.common.security.plain.PlainLoginModule required ${logins.join(' ')};`;
  writeFileSync(
    properties,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=CLIENTS://127.0.0.1:${port},INTERNAL://127.0.0.1:${internal},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=CLIENTS://127.0.0.1:${port},INTERNAL://127.0.0.1:${internal}
controller.listener.names=CONTROLLER
inter.broker.listener.name=INTERNAL
listener.security.protocol.map=CLIENTS:${users === null ? '' : 'SASL_'}PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT
sasl.enabled.mechanisms=PLAIN
listener.name.clients.plain.sasl.jaas.config=${login}
log.dirs=${join(folder, 'store')}
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
offsets.topic.num.partitions=1
transaction.state.log.num.partitions=1
log.retention.check.interval.ms=1000
auto.create.topics.enable=false
`,
  );
  const java = (...args: string[]): string[] => ['-Xmx512m', '-Xms128m', '-cp', join(place, 'jars', '*'), ...args];
  runInstaller(
    'java',
    java('kafka.tools.StorageTool', 'format', '-t', 'c2x1aWNlLXRlc3QtMDAwMA', '-c', properties),
    'install a JDK of 17 or newer, by which the Kafka broker runs',
  );
  const broker = serverProcess({
    name: 'the Kafka broker',
    port,
    program: 'java',
    args: java('kafka.Kafka', properties),
    folder,
    isReady: () => answers(port),
  });
  await broker.start();
  return { ...broker, host: `127.0.0.1:${port}`, url: `kafka://127.0.0.1:${port}` };
}
