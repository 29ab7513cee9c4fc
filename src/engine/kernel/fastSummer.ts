import { type BlockRequest, type BlockSummer, blockSummer } from './blockSummer.ts';
import { wasmSummer } from './wasmSummer.ts';

/** The compiled kernel if the loss has one, otherwise the reference kernel. */
export const fastSummer = (request: BlockRequest): BlockSummer =>
  request.loss.kernel === undefined ? blockSummer(request) : wasmSummer(request);
