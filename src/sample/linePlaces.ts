/** Allocates consecutive areas of a memory, each starting on a cache line. */
export interface LinePlaces {
  take(bytes: number): number;
  /** The end of the memory allocated so far. */
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
