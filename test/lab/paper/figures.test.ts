/** The paper's figures, as far as they take seconds; the rest is in test/slow. */
import { each, reproduces } from '../../support/reproduces.ts';

reproduces('plot1', {
  sizes: [500, 2000, 4000],
  seeds: 40,
  // The reference has the Gaussian width of the remark.
  reading: 'G = 2 D sqrt p',
  series: each(['ACCFW', 'FW'], ['eps=0.5', 'eps=0.9']),
});

reproduces('plot3', {
  sizes: [1000, 5000, 20_000],
  seeds: 50,
  series: each(['GD', 'AGD'], ['eps=0.1', 'eps=0.9']),
});

reproduces('plot4', {
  sizes: [600, 900, 1200, 1500],
  seeds: 20,
  series: each(['GD', 'AGD'], ['n=600', 'n=900', 'n=1200', 'n=1500']),
  xs: [0, 5, 10, 15, 20],
});

reproduces('plot5', { sizes: [2000, 10_000, 30_000, 50_000], seeds: 20, series: ['GD', 'AGD'] });
