/** Its own file: what is loaded when it is needed is loaded whole, and the index is the whole library. */
export { whileUnfinished } from '../index.ts';
