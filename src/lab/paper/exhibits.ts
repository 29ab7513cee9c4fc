import { refuse } from '../../errors.ts';
import { type Exhibit, exhibitOf } from './exhibit.ts';
import { contamination } from './exhibits/contamination.ts';
import { lowerBound } from './exhibits/lowerBound.ts';
import { plot1 } from './exhibits/plot1.ts';
import { plot2 } from './exhibits/plot2.ts';
import { plot3 } from './exhibits/plot3.ts';
import { plot4 } from './exhibits/plot4.ts';
import { plot5 } from './exhibits/plot5.ts';
import { plot6 } from './exhibits/plot6.ts';
import { plot7 } from './exhibits/plot7.ts';
import { sgdGradients } from './exhibits/sgdGradients.ts';
import { theoremRates } from './exhibits/theoremRates.ts';
import type { Figure } from './figure.ts';

let made: readonly Figure[] | undefined;

/** The paper's seven simulations; plot7 is its plot_l_bigger_0. The records are made once, because plans are kept by them. */
export const figures = (): readonly Figure[] => {
  made ??= [plot1(), plot2(), plot3(), plot4(), plot5(), plot6(), plot7()];
  return made;
};

/** The seven figures, and what the paper discusses without a picture. */
export const exhibits = (): readonly Exhibit[] => [
  ...figures().map(exhibitOf),
  sgdGradients(),
  contamination(),
  lowerBound(),
  theoremRates(),
];

/** A figure of the paper by its name. */
export const figureByName = (name: string): Figure => named(figures(), name);

/** An exhibit of the paper by its name. */
export const exhibitByName = (name: string): Exhibit => named(exhibits(), name);

const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T =>
  all.find(one => one.name === name) ?? refuse('figure', `be one of ${all.map(({ name }) => name).join(', ')}`, name);
