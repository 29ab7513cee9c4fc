import { findNothingBeyond } from '../support/findNothingBeyond.ts';

describe('auditPrivate', () => {
  findNothingBeyond(10_000);
});
