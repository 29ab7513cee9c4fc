import { scanBinary } from '../math/wasm/binaries.ts';
import { arithmeticIn } from '../math/wasm/webAssembly.ts';
import { type Arena, arenaOf } from './arena.ts';

/**
 * Whether a column has neither infinities nor NaN. Columns of an arena are checked by compiled code, because every row
 * of a file passes through here.
 */
export function isFiniteThroughout(column: Float64Array): boolean {
  const arena = arenaOf(column);
  if (arena !== undefined) return scanOf(arena)(column.byteOffset, column.length) === 1;
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = column.length - (column.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += column[i]! * 0;
    b += column[i + 1]! * 0;
    c += column[i + 2]! * 0;
    d += column[i + 3]! * 0;
  }
  for (let i = whole; i < column.length; i++) a += column[i]! * 0;
  return a + b + c + d === 0;
}

type Scan = (address: number, count: number) => number;

const scans = new WeakMap<Arena, Scan>();

function scanOf(arena: Arena): Scan {
  const known = scans.get(arena);
  if (known !== undefined) return known;
  const { allFinite } = arithmeticIn<{ readonly allFinite: Scan }>(scanBinary, arena.memory);
  scans.set(arena, allFinite);
  return allFinite;
}
