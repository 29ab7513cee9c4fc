import { readsDamagedFiles } from '../support/damagedFiles.ts';

// test/slow/damagedFiles.test.ts has 500 of each.
readsDamagedFiles(40);
