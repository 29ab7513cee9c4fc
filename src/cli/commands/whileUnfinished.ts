/** A separate file, because a dynamic import loads a whole module, and the index is the whole library. */
export { whileUnfinished } from '../../index.ts';
