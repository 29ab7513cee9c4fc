import type { BlockSummer } from './blockSummer.ts';
import { type IntegerRequest, integerSummer } from './integerSummer.ts';
import { wasmSummer } from './wasm/wasmSummer.ts';

/**
 * The compiled kernel where the loss has one, the reference kernel for a loss of the user's own: the same sums either
 * way.
 */
export const fastIntegerSummer = (request: IntegerRequest): BlockSummer =>
  request.loss.kernel === undefined ? integerSummer(request) : wasmSummer(request);
