export interface Largest {
  add(value: number): void;
  /** The largest values seen, up to the number kept, in decreasing order. */
  values(): Float64Array;
}

/** Keeps the `count` largest of a stream of numbers, in a heap whose root is the smallest of them. */
export function largest(count: number): Largest {
  const heap = new Float64Array(count);
  let size = 0;

  const sink = (value: number): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  };

  const rise = (value: number): void => {
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  };

  return Object.freeze({
    add(value: number) {
      if (size < count) rise(value);
      else if (value > heap[0]!) sink(value);
    },
    values: () => heap.slice(0, size).sort().reverse(),
  });
}
