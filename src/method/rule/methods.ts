/** The methods that a fit can be asked to use; `auto` leaves the choice to the plan. */
export const METHODS = ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
export type Method = (typeof METHODS)[number];
