import type { BlockSummer } from './blockSummer.ts';
import { type IntegerRequest, integerSummer } from './integerSummer.ts';
import { wasmSummer } from './wasmSummer.ts';

/** The compiled kernel if the loss has one, otherwise the reference kernel; both give the same sums. */
export const fastIntegerSummer = (request: IntegerRequest): BlockSummer =>
  request.loss.kernel === undefined ? integerSummer(request) : wasmSummer(request);
