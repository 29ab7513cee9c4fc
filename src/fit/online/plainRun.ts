import { lastValueFrom } from 'rxjs';
import { descend } from '../../flow/descend.ts';
import { informationSums } from '../../flow/informationSums.ts';
import { split } from '../../flow/split.ts';
import { passedOverNotes } from '../../inference/diagnostics/columns/leftOutColumns.ts';
import { explainLevels } from '../../inference/diagnostics/columns/levels.ts';
import { type Note, sentences, severe, type Told } from '../../inference/diagnostics/notes.ts';
import { isSeparated, onlineNotes } from '../../inference/online/onlineNotes.ts';
import { type OnlineReport, reportOnline } from '../../inference/online/onlineReport.ts';
import { namedLossOf } from '../../method/loss/namedLossOf.ts';
import type { InformationState } from '../../method/rule/informationState.ts';
import { type OnlinePlan, onlineChunks } from '../../plan/online/planOnline.ts';
import { nonPrivateEvent } from '../../privacy/event.ts';
import { ledger } from '../../privacy/ledger.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import { type LiveDesign, namesOf, type PilotAccount } from '../../source/live/liveDesign.ts';
import { counted } from '../../words.ts';
import { targetRule } from '../estimate.ts';
import { referenceLevels } from '../estimateModel.ts';
import type { OnlineOptions } from './estimateOnline.ts';
import type { OnlineEstimate } from './onlineEstimate.ts';
import { type Course, estimateLater, onlineEstimate, positionOf } from './onlineModel.ts';
import { lossNow, plainPlan } from './onlineRequest.ts';
import type { Checkpointed, OnlineSession } from './onlineSession.ts';

/** The checkpoint of a run without noise: the state after its last chunk. */
export interface PlainCheckpoint extends Checkpointed {
  readonly state: InformationState;
}

/** A run without noise: the pilot's rows settle columns and plan, and then every chunk is one step of `information`. */
export async function plainRun(session: OnlineSession<PlainCheckpoint>): Promise<void> {
  const { options, folder } = session;
  const last = folder?.last ?? null;
  if (last !== null) session.resume(last.course);
  const rows = await session.open(
    {
      design: last?.design,
      pilotRows: features => plainPlan(options, features, false).figures.pilot,
      targets: design => targetsOf(options, design),
    },
    {
      identity: last?.identity,
      opened: async () => {
        if (last === null) return;
        await session.publish(estimateOf(last.state, planFor(options, last.design), last.design, session));
      },
    },
  );
  const { design, pilot } = rows;
  const plan = planFor(options, design);
  if (pilot !== null) session.remember(aboutPilot(pilot, plan, options, design));
  const first = last?.state.step ?? 0;
  session.expect(plan.steps.at(first)!.rows);
  const chunks = split(rows, { chunks: onlineChunks(plan, first), first });
  await lastValueFrom(
    chunks.pipe(
      descend(
        {
          ...plan,
          ...(last && { from: { state: last.state, step: first } }),
          settle: async iterate => {
            const state = iterate.state as InformationState;
            const course = session.advance(iterate.rows);
            const content = { identity: session.identity(), design, course, state };
            if (folder !== null) await session.persist('the checkpoint', () => folder.write(content));
            await session.publish(estimateOf(state, plan, design, session));
            session.expect(plan.figures.chunk);
          },
        },
        informationSums(plan),
      ),
    ),
    { defaultValue: null },
  );
}

const planFor = (options: OnlineOptions, { columns, isTwofold }: LiveDesign): OnlinePlan =>
  plainPlan(options, columns.length, isTwofold);

/** A target that the loss does not accept cannot be used. */
function targetsOf({ loss = 'auto', target }: OnlineOptions, { isTwofold }: LiveDesign) {
  if (loss === 'auto') return isTwofold ? targetRule(namedLossOf('logistic'), target) : null;
  return targetRule(namedLossOf(loss), target);
}

/** What the pilot's rows said, which stays true of the run. */
function aboutPilot(
  { design, levels }: PilotAccount,
  { figures }: OnlinePlan,
  { loss = 'auto' }: OnlineOptions,
  { isTwofold }: LiveDesign,
): Course['about'] {
  const told = explainLevels(levels);
  const left = passedOverNotes({ names: [], order: 'as-is', passedOver: design.passedOver ?? [] });
  const why =
    loss !== 'auto'
      ? []
      : isTwofold
        ? ['loss logistic: the targets of the first rows are 0 and 1']
        : ['loss pseudo-huber, whose scale is learnt from the residuals'];
  return {
    choices: [...why, ...figures.reasons, ...told.choices],
    notes: sentences([left, told.notes]),
    ...referenceLevels(levels),
  };
}

const charged = () => ledger([nonPrivateEvent({ chunk: 'all', reason: 'no noise' })]);

/** The estimate after a chunk. What takes longer than a small chunk is made when it is asked for. */
function estimateOf(
  state: InformationState,
  plan: OnlinePlan,
  design: LiveDesign,
  session: OnlineSession<PlainCheckpoint>,
): OnlineEstimate {
  const { options } = session;
  const now = { course: session.course(), lag: session.lag() };
  return estimateLater(
    {
      chunk: state.step - 1,
      rows: { used: state.rows, read: now.course.read },
      position: positionOf(now.course),
      progressiveError: state.progressive && { chunk: state.progressive.chunk, all: state.progressive.all },
      deadLetters: now.course.deadLetters,
      lag: now.lag,
    },
    () => wholeEstimate(state, plan, design, options, now),
  );
}

function wholeEstimate(
  state: InformationState,
  plan: OnlinePlan,
  design: LiveDesign,
  options: OnlineOptions,
  { course, lag }: { readonly course: Course; readonly lag: number | null },
): OnlineEstimate {
  const { level = 0.95, onAlarm = 'restart', forget, weights } = options;
  const loss = lossNow(options, design, state.q);
  const names = namesOf(design);
  const found = reportOnline(state, plan, { level: 1 - level });
  const none = found.now.map(() => null);
  const report = isSeparated(state, loss.name) ? { ...found, errors: null, now: none, anyTime: none } : found;
  const alarm = report.alarm && {
    chunk: report.alarm.step - 1,
    coefficient: [...names, INTERCEPT][report.alarm.coefficient]!,
  };
  const { pilot, chunk } = plan.figures;
  return onlineEstimate(report, {
    target: options.target,
    design,
    course,
    loss,
    plan,
    chunk: state.step - 1,
    alarm,
    ledger: charged(),
    account: {
      mode: 'fresh',
      order: 'as-is',
      pilot,
      chunk,
      onAlarm,
      ...(forget !== undefined && { forget }),
      ...(weights !== undefined && { weights }),
    },
    notes: [
      alarm && alarmNote(alarm, onAlarm),
      asideNotes(report),
      onlineNotes(state, names, { loss: loss.name, target: options.target }),
    ],
    choices: [],
    level,
    freedom: Array.from(state.freedom, own => Math.max(1, own)),
    basis: 'how far estimates moved from chunk to chunk, in units of what each chunk could tell',
    lag,
  });
}

/** What an alarm means for the intervals. */
export const alarmNote = (
  { chunk, coefficient }: NonNullable<OnlineEstimate['alarm']>,
  onAlarm: 'restart' | 'note',
): Note => {
  const found = `the rows changed, as chunk ${chunk} shows, most clearly in the coefficient of ${JSON.stringify(coefficient)}`;
  return onAlarm === 'note'
    ? severe(`${found}: the estimate is of rows before and after it together, and intervals no longer hold`)
    : `${found}: counting began anew there, and intervals hold from there on`;
};

/** Chunks that were set aside. */
export const asideNotes = ({ quarantined }: Pick<OnlineReport, 'quarantined'>): Told<Note> =>
  quarantined === 0
    ? null
    : `${counted(quarantined, 'chunk')} ${quarantined === 1 ? 'was' : 'were'} set aside, because ${quarantined === 1 ? 'it is' : 'they are'} far from all before`;
