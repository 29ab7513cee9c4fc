/** Every theorem of the paper that prescribes a run, by its label there. */
export { accFwRob, htNonAccFw } from './accFwRob.ts';
export { ermGlmUp, ermGlmUpGeneral, ermUpCInc, iterRateIncC, iterRateIncCNon } from './glmProblem.ts';
export { glmHtGd, htAgd } from './htAgd.ts';
export { huEpsNester, huEpsPgd } from './huEps.ts';
export { glmGeometry, noplConvDpFw, remarkGeometry, squaredGeometry } from './noplConvDpFw.ts';
export { privHtAgdSmooth, privHtGdSmooth } from './privHtSmooth.ts';
export { accFwLambdaZero, htRidgeSingular, htRidgeWellConditioned, nonAccLambdaZero, ridgeGd } from './spectrum.ts';
export { upRidge } from './upRidge.ts';
export { utilPrivSgd } from './utilPrivSgd.ts';
