import { expect } from 'chai';

/** The message of the DataError that `run` ends in. */
export async function failure(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    // By name: a module loaded by import() is not the one that a test file was loaded with, nor is its class.
    expect((error as Error).constructor.name).to.equal('DataError');
    return (error as Error).message;
  }
  return expect.fail('it did not fail');
}
