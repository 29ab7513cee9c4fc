import { type Arena, columnArena } from '../sample/arena.ts';

/** Gives an arena with a slot of so many features and rows, or more rows. */
export type ArenaMaker = (features: number, rows: number) => Arena;

const idle: Arena[] = [];

/**
 * Lends arenas while `use` runs: seed after seed draws as many rows, and fresh memory takes longer to come by than
 * numbers to fill it with.
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
    // One of each width is enough for runs that follow each other.
    for (const arena of lent) {
      const at = idle.findIndex(({ features }) => features === arena.features);
      if (at === -1) idle.push(arena);
      else if (idle[at]!.capacity < arena.capacity) idle[at] = arena;
    }
  }
}
