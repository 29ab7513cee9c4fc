import { refuse } from '../../errors.ts';
import type { Figure } from './figure.ts';
import { plot1 } from './plot1.ts';
import { plot2 } from './plot2.ts';
import { plot3 } from './plot3.ts';
import { plot4 } from './plot4.ts';
import { plot5 } from './plot5.ts';
import { plot6 } from './plot6.ts';
import { plot7 } from './plot7.ts';

/** The paper's seven simulations; plot7 is its plot_l_bigger_0. */
export const figures: readonly Figure[] = [plot1, plot2, plot3, plot4, plot5, plot6, plot7];

/** A figure of the paper by its name. */
export const figureByName = (name: string): Figure =>
  figures.find(figure => figure.name === name) ??
  refuse('figure', `be one of ${figures.map(({ name }) => name).join(', ')}`, name);
