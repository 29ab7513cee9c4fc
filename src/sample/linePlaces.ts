/** Places in a memory, one behind the other, each at the beginning of a line of the cache. */
export interface LinePlaces {
  take(bytes: number): number;
  /** Up to where the memory is taken. */
  end(): number;
}

const LINE_BYTES = 64;

export const alignUp = (bytes: number, step: number): number => Math.ceil(bytes / step) * step;

export function linePlaces(first: number): LinePlaces {
  let end = first;
  return {
    take(bytes) {
      const place = end;
      end = alignUp(place + bytes, LINE_BYTES);
      return place;
    },
    end: () => end,
  };
}
