import { type ArrowTableParts, arrowTable, type OpenBatch } from '../arrow/arrowTable.ts';
import type { Dictionary } from '../arrow/dictionary.ts';
import { memoryRegion } from '../arrow/region.ts';
import type { Table } from '../table/table.ts';
import { batchHolder, type HeldBatch, type HeldBatches, openHeld, readHeld } from './heldBatch.ts';
import type { ArrowBatch } from './rowSource.ts';

/** Record batches that stay where they are, as tables. */
export function tablesInPlace(name: string, batches: Iterable<ArrowBatch>): readonly Table[] {
  const { groups, add } = batchHolder(name, memoryRegion);
  for (const batch of batches) add(batch);
  return memoryTables(name, groups, async () => {});
}

/**
 * One table for each run of batches with the same schema, so that differences between batches are treated like those
 * between files that are read together. Batches without rows make a table only if all are.
 */
export function memoryTables(
  name: string,
  groups: readonly HeldBatches[],
  close: () => Promise<void>,
): readonly Table[] {
  const inhabited = groups.filter(({ batches }) => batches.length > 0);
  const shown = inhabited.length === 0 ? groups.slice(0, 1) : inhabited;
  return shown.map(group =>
    tableOfGroup(shown.length === 1 ? name : `${name} from number ${group.first} on`, group, close),
  );
}

const tableOfGroup = (name: string, { schema, batches }: HeldBatches, close: () => Promise<void>): Table =>
  heldTable({ name, schema, rows: batches.reduce((sum, batch) => sum + batch.rows, 0), close }, batches);

/** Held batches of one schema, which may be made as they are asked for, as a table. */
export function heldTable(parts: Omit<ArrowTableParts, 'format'>, batches: Iterable<HeldBatch>): Table {
  const { name, schema } = parts;
  return arrowTable({ ...parts, format: 'memory' }, async function* (wanted): AsyncGenerator<OpenBatch> {
    // Successive batches mostly share a dictionary, which is decoded once; but only the latest is kept.
    const latest = new Map<number, object>();
    const dictionaries = new Map<number, Dictionary>();
    for (const batch of batches) {
      for (const index of wanted) {
        const held = batch.columns[index]?.dictionary;
        if (held === undefined || latest.get(index) === held) continue;
        latest.set(index, held);
        dictionaries.set(index, await readHeld(held, name, schema.columns[index]!.name));
      }
      yield openHeld(batch, dictionaries);
    }
  });
}
