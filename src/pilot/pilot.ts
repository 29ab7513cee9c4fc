/** What a few rows that no step uses again show before a run (studyPilot.ts). */
import type { ColumnDiagnostics } from './columnDiagnostics.ts';
import type { LeverageDiagnostics } from './leverageDiagnostics.ts';
import type { PilotEstimate } from './pilotEstimate.ts';
import type { ResidualDiagnostics } from './residualDiagnostics.ts';
import type { RowDiagnostics } from './rowDiagnostics.ts';
import type { Shortage } from './shortage.ts';
import type { TargetDiagnostics } from './targetDiagnostics.ts';

export interface Pilot {
  readonly rows: RowDiagnostics;
  readonly estimate: PilotEstimate;
  readonly residuals: ResidualDiagnostics;
  readonly leverage: LeverageDiagnostics;
  readonly targets: TargetDiagnostics;
  readonly columns: ColumnDiagnostics;
  /** Why more rows would be much better; null where they would not. */
  readonly shortage: Shortage | null;
}
