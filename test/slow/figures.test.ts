/**
 * The paper's figures where they take minutes: the larger n of plot1 and plot3, and the thousands of steps of plot2,
 * plot6 and plot7.
 */
import { each, reproduces } from '../support/reproduces.ts';

reproduces('plot1', {
  reading: 'G = 2 D sqrt p',
  sizes: [6000, 8000, 10_000],
  seeds: 40,
  series: each(['ACCFW', 'FW'], ['eps=0.5', 'eps=0.9']),
});

reproduces('plot2', {
  sizes: [500, 2000, 4000],
  seeds: 20,
  series: each(['ACCFW', 'FW'], ['eps=0.5', 'eps=0.9']),
});

reproduces('plot3', {
  sizes: [50_000, 100_000],
  seeds: 50,
  series: each(['GD', 'AGD'], ['eps=0.1', 'eps=0.9']),
});

reproduces('plot6', {
  sizes: [1000, 5000, 20_000, 50_000],
  seeds: 20,
  series: each(['ACCFW', 'FW'], ['m=3', 'm=6', 'm=9']),
});

reproduces('plot7', { sizes: [500, 2000, 10_000, 20_000], seeds: 40, series: ['ACCFW', 'FW'] });
