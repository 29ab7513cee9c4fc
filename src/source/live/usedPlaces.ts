import { dataError } from '../../errors.ts';
import { counted } from '../../words.ts';
import type { Item, Position } from './liveSource.ts';

/**
 * Which position a number of rows is, counted from where a stream was opened. Items wait in their order, with their
 * places, until their rows are used.
 */
export function usedPlaces(from: Position | null, name: string) {
  const items: { readonly end: number; readonly item: Pick<Item, 'place'> }[] = [];
  let last: Pick<Item, 'place'> = { place: from?.after ?? null };
  let [ended, arrived] = [-(from?.rows ?? 0), -(from?.rows ?? 0)];
  return {
    /** The rows that have arrived; fewer than none while rows of the first item are those that were used before. */
    arrived: (): number => arrived,
    /** Takes the items of an arrival. */
    add(more: readonly Item[]): void {
      requireFirst(more, arrived, name);
      for (const item of more) {
        arrived += item.rows;
        items.push({ end: arrived, item });
      }
    },
    /** The position after so many rows, of which there are never fewer than before. */
    at(rows: number): Position {
      let count = 0;
      for (; count < items.length && items[count]!.end <= rows; count++) ({ item: last, end: ended } = items[count]!);
      items.splice(0, count);
      return positionAt(last, rows - ended);
    },
  };
}

/** A position whose place is asked for when it is needed: a digest takes as long as a third of learning. */
function positionAt(item: Pick<Item, 'place'>, rows: number): Position {
  let place: Item['place'] | undefined;
  return {
    get after() {
      place ??= item.place;
      return place;
    },
    rows,
  };
}

/** Rows that were used are of one item; items before it may have come to nothing. */
function requireFirst(items: readonly Item[], arrived: number, name: string): void {
  const rows = items.find(item => item.rows > 0)?.rows ?? 0;
  if (arrived >= 0 || arrived + rows >= 0) return;
  throw dataError(
    { table: name },
    `has ${counted(rows, 'row')} in an item of which ${-arrived} were used, so it is not what it was`,
    'begin another run',
    'ERR_CHANGED',
  );
}
