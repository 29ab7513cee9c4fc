export { openRows as openSamples } from './openRows.ts';
