import { readsDamagedParquet } from './support/damagedParquet.ts';

readsDamagedParquet({ changed: 250, cut: 25, within: 100 });
