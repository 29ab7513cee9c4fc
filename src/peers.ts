import { ArgumentError } from './errors.ts';

/** Packages that some uses need and most do without, so that installing Sluice does not install them. */
interface Peers {
  readonly '@grpc/grpc-js': typeof import('@grpc/grpc-js');
  readonly '@duckdb/node-api': typeof import('@duckdb/node-api');
  readonly '@nats-io/jetstream': typeof import('@nats-io/jetstream');
  readonly '@nats-io/transport-node': typeof import('@nats-io/transport-node');
  readonly '@platformatic/kafka': typeof import('@platformatic/kafka');
  readonly '@resvg/resvg-js': typeof import('@resvg/resvg-js');
  readonly '@foxglove/wasm-zstd': { readonly default: typeof import('@foxglove/wasm-zstd') };
  readonly 'lz4-napi': { readonly default: typeof import('lz4-napi') };
}

/**
 * Loads a package when it is needed: an optional one, or one with compiled code, which bundlers cannot include. `use`
 * says in the error what the package is needed for. The name is not a literal of `import`, so bundlers leave it alone.
 */
export async function peer<Name extends keyof Peers>(name: Name, use: string): Promise<Peers[Name]> {
  try {
    return await import(name);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' ? missingPeer(name, use) : error;
  }
}

/** The error for a package that is not installed. */
export const missingPeer = (name: string, use: string): ArgumentError =>
  new ArgumentError(
    `${use} needs the optional package ${name}, which is not installed; run npm install ${name}`,
    'ERR_PEER_MISSING',
    { package: name },
  );
