/** What a few rows that no step uses again show before a run (studyPilot.ts). */
import type { ColumnDiagnostics } from '../diagnostics/columnDiagnostics.ts';
import type { LeverageDiagnostics } from '../diagnostics/leverageDiagnostics.ts';
import type { ResidualDiagnostics } from '../diagnostics/residualDiagnostics.ts';
import type { RowDiagnostics } from '../diagnostics/rowDiagnostics.ts';
import type { Shortage } from '../diagnostics/shortage.ts';
import type { TargetDiagnostics } from '../diagnostics/targetDiagnostics.ts';
import type { PilotEstimate } from './pilotEstimate.ts';

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
