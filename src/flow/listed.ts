export { listed } from '../sample/listed.ts';
