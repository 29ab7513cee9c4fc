/** Arrow tables of any columns, with holes or without, cut into batches, for property tests. */
import {
  Bool,
  type DataType,
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeUtf8,
  Table,
  TimestampMicrosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';

/** The texts that may occur. */
export const words = ['', 'a', 'bc', 'Grüße', 'a text of more than twelve bytes', '\u{1f600}'];
const word = fc.constantFrom(...words);
const whole = (bits: number, isSigned: boolean) =>
  isSigned
    ? fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 })
    : fc.integer({ min: 0, max: 2 ** bits - 1 });

type Column = readonly [type: () => DataType, value: fc.Arbitrary<unknown>];

const columns: readonly Column[] = [
  [() => new Float64(), fc.double()],
  [() => new Float32(), fc.float()],
  [() => new Float16(), fc.constantFrom(0, 1.5, -2, 65504, 2 ** -24)],
  [() => new Int8(), whole(8, true)],
  [() => new Int16(), whole(16, true)],
  [() => new Int32(), whole(32, true)],
  [() => new Int64(), fc.bigInt(-(2n ** 53n), 2n ** 53n)],
  [() => new Uint8(), whole(8, false)],
  [() => new Uint16(), whole(16, false)],
  [() => new Uint32(), whole(32, false)],
  [() => new Uint64(), fc.bigInt(0n, 2n ** 53n)],
  [() => new Bool(), fc.boolean()],
  [() => new Utf8(), word],
  [() => new LargeUtf8(), word],
  [() => new Dictionary(new Utf8(), new Int16()), word],
  [() => new Dictionary(new Float64(), new Uint32()), fc.constantFrom(0.5, -1, 1e300)],
  [
    () => new FixedSizeList(3, new Field('item', new Float32(), true)),
    fc.array(fc.float(), { minLength: 3, maxLength: 3 }),
  ],
];

/** Types that apache-arrow itself reads in other units, or as texts. */
const others: readonly Column[] = [
  [() => new Dictionary(new LargeUtf8(), new Int8()), word],
  [() => new TimestampMicrosecond(), fc.integer({ min: -1e9, max: 2e9 }).map(seconds => seconds * 1000)],
  [() => new DateMillisecond(), fc.date({ noInvalidDate: true })],
  [() => new Decimal(2, 9, 128), fc.nat(2 ** 31 - 1).map(value => Uint32Array.of(value, 0, 0, 0))],
];

/** A table of some columns, with holes or without, cut into batches at some rows. */
const tableOf = (of: readonly Column[]): fc.Arbitrary<Table> =>
  fc
    .record({
      rows: fc.nat(40),
      chosen: fc.subarray([...of], { minLength: 1, maxLength: 5 }),
      holes: fc.boolean(),
    })
    .chain(({ rows, chosen, holes }) =>
      fc.record({
        cuts: fc.array(fc.nat(rows), { maxLength: 3 }).map(cuts => [0, ...cuts.sort((a, b) => a - b), rows]),
        vectors: fc.tuple(
          ...chosen.map(([type, value]) =>
            fc
              .array(holes ? fc.option(value, { freq: 3 }) : value, { minLength: rows, maxLength: rows })
              .map(values => vectorFromArray(values, type()) as Vector),
          ),
        ),
      }),
    )
    .map(({ cuts, vectors }) => {
      const whole = new Table(Object.fromEntries(vectors.map((vector, k) => [`c${k}`, vector])));
      const batches = cuts.slice(1).flatMap((to, k) => whole.batches.map(batch => batch.slice(cuts[k]!, to)));
      return new Table(whole.schema, batches);
    });

export const anyTable = tableOf(columns);

/** Also of columns of times and decimals. */
export const anyTypedTable = tableOf([...columns, ...others]);
