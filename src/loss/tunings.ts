/** Parameters of robust losses in residual scales, at which their efficiency is 95 % under normal errors. */
export const HUBER_TUNING = 1.345;
export const TUKEY_TUNING = 4.685;
