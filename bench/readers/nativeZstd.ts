/**
 * A native zstd, which `npm run bench:readers` installs beside the project's own packages: it lists binaries for
 * platforms that were never published, and a lockfile with it cannot be installed from.
 */
const PACKAGE: string = '@toondepauw/node-zstd';

interface NativeZstd {
  readonly Encoder: new (level: number) => { encodeSync(bytes: Buffer): Buffer };
  readonly Decoder: new () => { decodeSync(bytes: Buffer): Buffer };
}

export const { Encoder, Decoder }: NativeZstd = await import(PACKAGE);
