/** How a fit may be asked to go from step to step; `auto` leaves it to the plan. */
export const METHODS = ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
export type Method = (typeof METHODS)[number];
