import { type BlockRequest, type BlockSummer, blockSummer } from './blockSummer.ts';
import { wasmSummer } from './wasm/wasmSummer.ts';

/** The compiled kernel where the loss has one, the reference kernel for a loss of the user's own. */
export const fastSummer = (request: BlockRequest): BlockSummer =>
  request.loss.kernel === undefined ? blockSummer(request) : wasmSummer(request);
