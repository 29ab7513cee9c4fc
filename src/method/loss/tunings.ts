/** Parameters of the robust losses, in residual scales, for 95 % efficiency under normal errors. */
export const HUBER_TUNING = 1.345;
export const TUKEY_TUNING = 4.685;
