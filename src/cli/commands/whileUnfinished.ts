/** A separate file, because a dynamic import loads a whole module. */
export { whileUnfinished } from '../../files.ts';
