import { readsDamagedFiles } from '../support/damagedFiles.ts';

readsDamagedFiles(150);
