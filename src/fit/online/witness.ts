import { ArgumentError } from '../../errors.ts';
import { writeDurably } from '../../files.ts';
import { takeLock } from '../../privacy/ledgerFile/lock.ts';
import { readIfThere } from '../runFolder.ts';
import type { WriteFile } from './checkpoint.ts';

/**
 * What a private run has beside its ledger, so that a checkpoint that was restored from a copy is noticed: the number of
 * releases that were made, and a hash of the checkpoint with the last of them, which has released values and public
 * facts alone.
 */
export interface Witness {
  /** Refuses a checkpoint that is older than this one, or of another history. */
  require(releases: number, digest: string | null): void;
  write(releases: number, digest: string | null): Promise<void>;
  /** Lets another process go on with the run. */
  close(): void;
}

/** The witness of a run of a ledger file, for this process alone, whatever folder others have a copy of. */
export function openWitness(ledger: string, run: string, write: WriteFile = writeDurably): Witness {
  const path = `${ledger}.${run}.releases`;
  const lock = takeLock(path);
  return {
    require: (releases, digest) => {
      const text = readIfThere(path);
      const seen = text === null ? null : (JSON.parse(text) as { releases: number; digest: string | null });
      // One release may be in the checkpoint and not here, if the run was killed between the two writes.
      if (seen !== null && releases > seen.releases) return;
      if (seen?.releases === releases && (seen.digest === null || seen.digest === digest)) return;
      const why =
        seen === null
          ? `${path}, which says how far the run has come, is missing`
          : releases < seen.releases
            ? `the checkpoint has ${releases} releases, but ${path} knows of ${seen.releases}`
            : `the checkpoint has another release ${releases} than ${path} knows of`;
      throw new ArgumentError(
        `${why}, so rows could be read for a second release, with new noise; restore the newest checkpoint, or begin another run in an empty folder, which is charged anew`,
        'ERR_NOT_PRIVATE',
        { file: path },
      );
    },
    write: (releases, digest) => write(path, `${JSON.stringify({ releases, digest })}\n`),
    close: () => lock.release(),
  };
}
