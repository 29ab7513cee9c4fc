import { lastValueFrom } from 'rxjs';
import { type Note, sentences, severe } from '../../inference/diagnostics/notes.ts';
import { secure } from '../../math/random/secure.ts';
import { seeded } from '../../math/random/seeded.ts';
import { lossByName } from '../../method/loss/lossByName.ts';
import type { PooledState } from '../../method/rule/pooled.ts';
import { ledger as ledgerOf } from '../../privacy/ledger.ts';
import { openLedgerFile } from '../../privacy/ledgerFile/openLedgerFile.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import { type UnitTable, unitTable } from '../../sample/transform/unitTable.ts';
import { type LiveDesign, namesOf } from '../../source/live/liveDesign.ts';
import type { LiveRows } from '../../source/live/liveRows.ts';
import { version } from '../../version.ts';
import { listed } from '../../words.ts';
import { privateWarnings } from '../private/privateRequest.ts';
import type { OnlineOptions } from './estimateOnline.ts';
import type { Alarm, OnlineEstimate } from './onlineEstimate.ts';
import { onlineEstimate } from './onlineModel.ts';
import { lossNow, privateOnlineRequest } from './onlineRequest.ts';
import type { Checkpointed, OnlineSession } from './onlineSession.ts';
import { alarmNote, asideNotes } from './plainRun.ts';
import { positionKey } from './positionKey.ts';
import { type PrivateCheckpoint, type PrivateOnline, privateOnline } from './privateOnline.ts';
import { openUnits, type UnitsFile } from './unitsFile.ts';
import { openWitness, type Witness } from './witness.ts';

/** The checkpoint of a private run: released values and public facts alone. */
export interface PrivateRunCheckpoint extends Checkpointed {
  /** The run's name in the ledger, and the hash of the ledger's line that charges it; null for a simulation. */
  readonly charged: Charged | null;
  /** Releases so far, and those before the present segment: an alarm begins a new one, with a preamble of its own. */
  readonly releases: number;
  readonly before: number;
  /** The present segment's state before its last release, and that release; null before the first. */
  readonly made: PrivateCheckpoint | null;
  readonly alarm: Alarm | null;
}

interface Charged {
  readonly run: string;
  readonly head: string;
}

type Session = OnlineSession<PrivateRunCheckpoint>;

/**
 * A private run: segments of releases, each with a preamble, under one charge; every segment but the last ended with an
 * alarm. A release is stored, and the witness with it, before anything is made of it.
 */
export async function privateRun(session: Session): Promise<void> {
  const { options, folder } = session;
  const { onAlarm = 'restart' } = options;
  const last = folder?.last ?? null;
  const closing: (() => void)[] = [];
  try {
    let rows: LiveRows | undefined;
    // A simulation has no ledger, and nothing to hide.
    const key = options.ledger === undefined ? new Uint8Array(32) : positionKey(options.ledger.file, last !== null);
    const open = (opened = async (): Promise<void> => {}): Promise<LiveRows> => {
      const from = { identity: last?.identity, positionKey: key, opened };
      return session.open({ design: last?.design, pilotRows: () => 0 }, from);
    };
    if (last === null) rows = await open();
    const design = last?.design ?? rows!.design;
    const random = options.seed === undefined ? secure() : seeded(String(options.seed), 'noise');
    const { request, bounds } = privateOnlineRequest(options, design.columns);
    const begin = (): PrivateOnline => privateOnline({ ...request, random });
    let online = begin();
    const charged = last === null ? charge(session, online, null) : charge(session, online, last.charged);
    const witness = charged === null ? null : openWitness(options.ledger!.file, charged.run, session.write);
    if (witness !== null) closing.push(witness.close);
    if (last !== null) witness?.require(last.releases, folder!.digest());
    const facts = { session, design, bounds, charged };
    let { releases, before, made, alarm } = last ?? { releases: 0, before: 0, made: null, alarm: null };
    if (last !== null) session.resume(last.course);
    rows ??= await open(async () => {
      if (made === null) return;
      const state = online.resumed(made);
      alarm = alarmOf(state, before, design) ?? alarm;
      await session.publish(estimateOf(state, online, { ...facts, before, alarm }));
    });
    if (last === null) {
      // The witness first, or a run that is killed here could not show that it has released nothing.
      if (witness !== null) await session.persist('the count of releases', () => witness.write(0, null));
      await stored(session, null, {
        ...{ identity: session.identity(), design, course: session.course(), charged, releases, before, made, alarm },
      });
    }
    const units = unitsOf(session, online, rows, releases);
    if (units !== null) closing.push(units.file?.close ?? (() => {}));
    const isOver = (state: PooledState): boolean => onAlarm === 'restart' && state.alarm !== null;

    for (let isLast = false; !isLast; ) {
      if (made !== null && isOver(online.resumed(made))) {
        [made, before, online] = [null, releases, begin()];
        continue;
      }
      isLast = true;
      session.expect(online.plan.steps.at(releases - before)!.rows);
      const iterates = online.run(rows, {
        ...(made !== null && { from: made }),
        ...(units !== null && { units: units.table }),
        until: isOver,
        write: async (checkpoint, counts) => {
          const release = releases;
          const course = session.advance(checkpoint.release.rows);
          if (counts !== null) await session.persist('the counts of units', () => units!.file?.append(release, counts));
          releases = release + 1;
          made = checkpoint;
          alarm = alarmOf(online.resumed(checkpoint), before, design) ?? alarm;
          await stored(session, witness, {
            ...{ identity: session.identity(), design, course, charged, releases, before, made, alarm },
          });
        },
        settle: async iterate => {
          const state = iterate.state as PooledState;
          await session.publish(estimateOf(state, online, { ...facts, before, alarm }));
          if (isOver(state)) isLast = false;
          else session.expect(online.plan.steps.at(state.step)!.rows);
        },
      });
      await lastValueFrom(iterates, { defaultValue: null });
    }
    // With an end of its own: a run that was told how far to go may be told to go further.
    if (charged !== null && options.untilRows === undefined) finish(options, charged);
  } finally {
    for (const close of closing) close();
  }
}

/** First the checkpoint, then the witness: it never knows of a release that is not on disk. */
async function stored(
  { folder, persist }: Session,
  witness: Witness | null,
  content: PrivateRunCheckpoint,
): Promise<void> {
  if (folder !== null) await persist('the checkpoint', () => folder.write(content));
  if (witness !== null)
    await persist('the count of releases', () => witness.write(content.releases, folder?.digest() ?? null));
}

/** The one charge of the stream, before its first release; a run that goes on must be the one that was charged. */
function charge({ options, name }: Session, online: PrivateOnline, charged: Charged | null): Charged | null {
  const { ledger, target, unit, delta } = options;
  if (ledger === undefined) return null;
  const { file, dataset, budget } = ledger;
  const plan = online.ledgerPlan({
    target,
    createdWith: `sluice ${version}`,
    stream: { name, from: 'the beginning' },
    ...(unit !== undefined && { unit }),
  });
  const opened = openLedgerFile(file, {
    dataset,
    ...(budget !== undefined && { budget: { epsilon: budget, delta: delta! } }),
  });
  try {
    if (charged === null) return { run: opened.beginStream(plan), head: opened.head };
    opened.resumeStream(charged.run, plan);
    return charged;
  } finally {
    opened.close();
  }
}

function finish({ ledger }: OnlineOptions, { run }: Charged): void {
  const file = openLedgerFile(ledger!.file, { dataset: ledger!.dataset });
  try {
    file.finishStream(run);
  } finally {
    file.close();
  }
}

/** The table of units, whose counts are kept beside the checkpoint; in memory for a simulation without a folder. */
function unitsOf(
  { options, folder }: Session,
  { plan }: PrivateOnline,
  rows: LiveRows,
  releases: number,
): { readonly table: UnitTable; readonly file: UnitsFile | null } | null {
  if (plan.unit === null) return null;
  const file = folder === null ? null : openUnits(options.checkpoint!, releases);
  const key = file?.key ?? new Uint8Array(32);
  const table = unitTable({ key, ...plan.unit, ...(file !== null && { saved: file.saved }) });
  return { file, table: { ...table, take: unit => table.take(rows.unitOf(unit as number)) } };
}

/** Coefficients that noise hides: their features vary in too little of their bounds, or too much together. */
const hiddenNote = (names: readonly string[]): Note | null =>
  names.length === 0
    ? null
    : severe(
        `noise hides how the estimate depends on ${listed(names)}: features vary in too little of their bounds, or too much together, for this epsilon; these coefficients come near their values only slowly and have no intervals; declare narrower bounds in another run`,
      );

function alarmOf({ alarm }: PooledState, before: number, design: LiveDesign): Alarm | null {
  if (alarm === null) return null;
  const coefficient = [...namesOf(design), INTERCEPT][alarm.coefficient]!;
  return { chunk: before + alarm.step - 1, coefficient };
}

interface Facts {
  readonly session: Session;
  readonly design: LiveDesign;
  readonly bounds: ReturnType<typeof privateOnlineRequest>['bounds'];
  readonly charged: Charged | null;
  readonly before: number;
  readonly alarm: Alarm | null;
}

function estimateOf(
  state: PooledState,
  online: PrivateOnline,
  { session, design, bounds, charged, before, alarm }: Facts,
): OnlineEstimate {
  const { options } = session;
  const { level = 0.95, onAlarm = 'restart', epsilon, delta, unit, maxPerUnit, forget, ledger: entry } = options;
  const { plan } = online;
  const report = online.report(state, { level: 1 - level });
  const ledger = ledgerOf([online.event]);
  const { isPrivate } = ledger;
  const { figures, noise } = plan;
  return onlineEstimate(report, {
    target: options.target,
    design,
    course: session.course(),
    loss:
      options.loss === undefined || options.loss === 'auto' || options.loss === 'pseudo-huber'
        ? lossByName('pseudo-huber', { parameter: state.q * plan.scaling.target.scale })
        : lossNow(options, design, state.q),
    plan,
    chunk: before + state.step - 1,
    alarm,
    ledger,
    account: {
      mode: 'fresh',
      order: 'as-is',
      preamble: figures.preamble,
      chunk: figures.chunk,
      onAlarm,
      calibration: 'parallel',
      bounds,
      ...(forget !== undefined && { forget }),
      ...(plan.unit !== null && { unit, maxPerUnit, perChunk: plan.unit.perChunk }),
    },
    privacy: {
      private: isPrivate,
      ...(!isPrivate && { note: 'NOT PRIVATE (seeded)' }),
      epsilon: isPrivate ? epsilon! : null,
      delta: isPrivate ? delta! : null,
      mu: isPrivate ? ledger.mu : null,
      rho: isPrivate ? ledger.rho : null,
      slack: noise.slack,
      unit: unit ?? 'row',
      ...(charged !== null && { file: { dataset: entry!.dataset, ...charged } }),
      entries: ledger.entries,
    },
    notes: [
      alarm && alarmNote(alarm, onAlarm),
      report.isPooled
        ? null
        : `the preamble of ${figures.preamble} rows is not over: the estimate is a first one, and has no intervals yet`,
      hiddenNote(report.hidden.map(j => [...namesOf(design), INTERCEPT][j]!)),
      asideNotes(report),
      sentences(privateWarnings({ ...options, epsilon: epsilon!, delta: delta!, bounds: options.bounds ?? {} })),
    ],
    choices: [],
    level,
    freedom: Array.from(report.theta, () => Math.max(1, state.freedom)),
    basis: 'how far released gradients are from each other, noise included',
    lag: session.lag(),
  });
}
