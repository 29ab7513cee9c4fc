import { type Arena, columnArena } from '../../sample/arena.ts';

/** Provides an arena with a slot of this many features and at least this many rows. */
export type ArenaMaker = (features: number, rows: number) => Arena;

const idle: Arena[] = [];

/**
 * Lends arenas while `use` runs: every seed draws the same number of rows, and allocating memory takes longer than
 * filling it.
 */
export async function withArenas<T>(use: (arena: ArenaMaker) => Promise<T>): Promise<T> {
  const lent: Arena[] = [];
  const lend: ArenaMaker = (features, rows) => {
    const at = idle.findIndex(arena => arena.features === features && arena.capacity >= rows);
    const arena = at === -1 ? columnArena({ features, capacity: rows, slots: 1 }) : idle.splice(at, 1)[0]!;
    lent.push(arena);
    return arena;
  };
  try {
    return await use(lend);
  } finally {
    // One of each width is enough for consecutive runs.
    for (const arena of lent) {
      const at = idle.findIndex(({ features }) => features === arena.features);
      if (at === -1) idle.push(arena);
      else if (idle[at]!.capacity < arena.capacity) idle[at] = arena;
    }
  }
}
