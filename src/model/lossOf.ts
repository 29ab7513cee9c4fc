import { lossByName, type NamedLoss } from '../method/loss/lossByName.ts';
import type { Model } from './model.ts';

/** The loss that a model was fitted with, its penalty included. */
export function lossOf({ loss: { name, parameter, ridge } }: Pick<Model, 'loss'>): NamedLoss {
  return lossByName(name, {
    ...(parameter === undefined ? {} : { parameter }),
    ...(ridge === undefined ? {} : { penalty: ridge }),
  });
}
