import { ArgumentError } from '../errors.ts';
import { type ConstrainedPilot, constrainedPilot } from '../inference/pilot/constrainedPilot.ts';
import type { Pilot } from '../inference/pilot/studyPilot.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { isFrankWolfe, type StepSettings } from '../plan/stepSettings.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

interface SetSettings extends StepSettings {
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/** The pilot over a set, where its curvature makes the steps. */
export function constrainPilot(batch: SampleBatch, pilot: Pilot, settings: SetSettings): ConstrainedPilot | null {
  const { constraint, method, stepSize, penalty, intercept, loss } = settings;
  if (constraint === undefined || stepSize !== undefined || isFrankWolfe(method)) return null;
  refuseDropped(pilot.columns, settings);
  return constrainedPilot(batch, pilot, {
    constraint,
    intercept,
    isLossOpen: loss === 'auto',
    ...(penalty !== undefined && { penalty }),
  });
}

function refuseDropped({ dropped }: Pilot['columns'], { names = [] }: SetSettings): void {
  if (dropped.length === 0) return;
  const listed = dropped.map(({ column }) => JSON.stringify(names[column] ?? column)).join(', ');
  throw new ArgumentError(
    `over a set no feature may be constant or a combination of others, but in the pilot rows ${listed} ${dropped.length === 1 ? 'is' : 'are'}; leave ${dropped.length === 1 ? 'it' : 'them'} out of the features, or add a ridge penalty`,
  );
}
