/** Every theorem of the paper that prescribes a run, by its label there. */
export { accFwLambdaZero } from './accFwLambdaZero.ts';
export { accFwRob } from './accFwRob.ts';
export { ermGlmUp } from './ermGlmUp.ts';
export { ermGlmUpGeneral } from './ermGlmUpGeneral.ts';
export { ermUpCInc, iterRateIncC } from './ermUpCInc.ts';
export { glmHtGd } from './glmHtGd.ts';
export { htAgd } from './htAgd.ts';
export { htNonAccFw } from './htNonAccFw.ts';
export { htRidgeSingular, htRidgeWellConditioned } from './htRidge.ts';
export { huEpsNester, huEpsPgd } from './huEps.ts';
export { nonAccLambdaZero } from './nonAccLambdaZero.ts';
export { glmGeometry, noplConvDpFw, squaredGeometry } from './noplConvDpFw.ts';
export { privHtAgdSmooth, privHtGdSmooth } from './privHtSmooth.ts';
export { upRidge } from './upRidge.ts';
export { utilPrivSgd } from './utilPrivSgd.ts';
