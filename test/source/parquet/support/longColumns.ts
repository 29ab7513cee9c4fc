/** The data set of the long fixtures, by the formulas of fixtures/make.py. */
const rows = Array.from({ length: 6000 }, (_, i) => i);
const mixed = rows.map(i => (i % 400 < 90 ? (i * i) % 37 : 5));

export const longColumns: Readonly<Record<string, readonly (number | null)[]>> = {
  steps: rows.map(i => Math.floor(i / 700)),
  mixed,
  gaps: rows.map(i => (i % 1300 < 90 || i % 17 === 5 ? null : mixed[i]!)),
  nothing: rows.map(() => null),
  count: rows,
};
