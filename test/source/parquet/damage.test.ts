import { readsDamagedParquet } from './support/damagedParquet.ts';

// test/slow/damagedFiles.test.ts has ten times as many.
readsDamagedParquet({ changed: 100, cut: 25, within: 30 });
