import { expect } from 'chai';
import { DataError } from '../../src/errors.ts';

/** Expects a DataError, and returns its message. */
export async function refusal(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => undefined,
    reason => reason,
  );
  expect(error, 'refused').to.be.instanceOf(DataError);
  return error.message;
}
