import { readsDamagedParquet } from '../source/parquet/support/damagedParquet.ts';
import { readsDamagedFiles } from '../support/damagedFiles.ts';

readsDamagedFiles(500);

readsDamagedParquet({ changed: 1000, cut: 100, within: 300 });
