import { expect } from 'chai';
import type { AuditReport } from '../../src/lab/audit/auditPrivate.ts';

export function expectPassed({ breaches, passed }: AuditReport): void {
  expect(breaches).to.deep.equal([]);
  expect(passed).to.equal(true);
}
