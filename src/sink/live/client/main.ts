/** The script of the live page: takes events, and changes texts and lengths of elements that are already there. */
import { countOf, numeral } from '../../page/numerals.ts';
import { type History, NO_HISTORY, remembered } from '../history.ts';
import type { LiveEstimate, LiveFacts, LiveStatus } from '../liveState.ts';
import { announcer } from './announcer.ts';
import { coefficientRows } from './coefficients.ts';
import { connect } from './connection.ts';
import { byId, make, put, reveal, say, show } from './dom.ts';
import { login } from './login.ts';
import { type Trend, trend } from './trend.ts';

type Alarms = readonly { readonly chunk: number; readonly coefficient: string; readonly at: number }[];
type Seen = LiveEstimate & { readonly at: number };
type Status = LiveStatus & { readonly rowsPerSecond: number };

interface Snapshot {
  readonly facts: LiveFacts;
  readonly estimate: Seen | null;
  readonly history: History;
  readonly alarms: Alarms;
  readonly status: Status;
}

/** Milliseconds between two paintings: numbers that change faster cannot be read. */
const INTERVAL = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 250;
/** Coefficients whose history is shown at once. */
const MOST_TRENDS = 12;
/** Chunks for which an alarm stands above the coefficients, after which a run has forgotten what was before. */
const ALARM_LASTS = 100;
const MOST_NOTES = 20;

if (document.getElementById('login') !== null) login();
else watch();

function watch(): void {
  let facts: LiveFacts | undefined;
  let estimate: Seen | null = null;
  let status: Status | undefined;
  let history: History = NO_HISTORY;
  let alarms: Alarms = [];
  let isLost = false;
  let isPaused = false;
  let group = 0;
  let timer: number | undefined;
  const rows = coefficientRows();
  const announce = announcer(byId('announcer'));
  const trends: Trend[] = [];
  let error: Trend | undefined;

  const line = connect({
    on: (kind, data) => {
      if (kind === 'snapshot') ({ facts, estimate, history, alarms, status } = data as Snapshot);
      else if (kind === 'status') status = data as Status;
      else {
        const { alarms: told, status: now, ...found } = data as Seen & { alarms: Alarms; status: Status };
        estimate = found;
        alarms = told;
        status = now;
        history = remembered(history, found);
      }
      if (status?.phase === 'ended') line.stop();
      paintSoon();
    },
    lost: () => {
      if (status?.phase === 'ended' || isLost) return;
      isLost = true;
      paintState();
    },
    found: () => {
      if (!isLost) return;
      isLost = false;
      paintState();
    },
  });

  const paintSoon = (): void => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isPaused) paint();
    }, INTERVAL);
  };

  const paint = (): void => {
    if (facts === undefined || status === undefined) return;
    paintState();
    paintTiles(facts, status);
    paintAlarms();
    if (estimate === null) return;
    put(document.querySelector('main')!, { 'data-empty': 'false' });
    reveal(byId('no-coefficients'), false);
    reveal(byId('known'), true);
    rows(estimate);
    paintHistory();
    paintNotes(estimate);
    say(byId('meaning'), `${estimate.meaning} From ${facts.source}. Loss: ${estimate.loss}.`);
    say(byId('as-of'), `As of ${new Date(estimate.at).toLocaleString()}, chunk ${countOf(estimate.chunk)}.`);
  };

  const paintState = (): void => {
    const [state, words] = stateOf();
    put(byId('state'), { 'data-state': state });
    put(document.body, { 'data-lost': String(isLost) });
    say(byId('state-words'), isPaused ? `${words} (paused here)` : words);
    document.title = `${words.split(/[,:]/)[0]} · ${facts?.target ?? 'sluice'}`;
    announce(words);
  };

  const stateOf = (): readonly [state: string, words: string] => {
    if (isLost) return ['disconnected', 'Disconnected, retrying'];
    if (facts === undefined || status === undefined) return ['connecting', 'Connecting'];
    if (status.phase === 'ended') return ['ended', 'Ended: the stream is at its end'];
    if (Object.keys(status.problems).length > 0) return ['troubled', 'Live, with a problem'];
    if (estimate === null) return ['waiting', 'Waiting for the pilot'];
    return isAlarmed(estimate) ? ['alarmed', `Alarm: ${estimate.alarm!.coefficient} has changed`] : ['live', 'Live'];
  };

  const isAlarmed = ({ alarm, chunk }: LiveEstimate): boolean =>
    alarm !== null && (facts?.onAlarm === 'note' || chunk - alarm.chunk < ALARM_LASTS);

  const count = (id: string, value: number | null, hint = ''): void => {
    show(byId(id), value, countOf(value ?? 0));
    say(byId(`${id}-hint`), hint);
  };

  const paintTiles = ({ isPrivate }: LiveFacts, now: Status): void => {
    const used = estimate?.rows.used ?? null;
    count('rows', isPrivate ? now.read : (used ?? 0), isPrivate ? '' : `of ${countOf(now.read)} read`);
    count('chunk', estimate?.chunk ?? null);
    count('speed', now.rowsPerSecond);
    count('lag', now.lag, now.lag === null ? 'not known to the source' : now.lag === 1 ? 'item' : 'items');
    if (isPrivate) paintLedger();
    else {
      const found = estimate?.progressiveError ?? null;
      show(byId('progressive'), found?.all ?? null, numeral(found?.all ?? 0));
      say(byId('progressive-hint'), found === null ? 'no rows yet' : `${numeral(found.chunk)} in the latest chunk`);
      const share = now.read > 0 ? (100 * (now.deadLetters ?? 0)) / now.read : 0;
      count('dead-letters', now.deadLetters, now.deadLetters ? `${numeral(share, 2)} % of rows read` : '');
    }
    const alarm = estimate?.alarm ?? null;
    show(byId('alarm-count'), alarm?.chunk ?? null, `chunk ${countOf(alarm?.chunk ?? 0)}`);
    say(byId('alarm-count-hint'), alarm?.coefficient ?? 'none so far');
    paintMeter(now);
    paintAge();
    const problems = Object.values(now.problems);
    reveal(byId('problems'), problems.length > 0);
    list(byId('problems'), 'p', problems);
  };

  const paintMeter = ({ phase, progress }: Status): void => {
    const share = progress === null ? 0 : Math.min(1, progress.rows / Math.max(1, progress.of));
    const what = phase === 'waiting' ? 'Rows of the pilot' : 'Rows of the next chunk';
    const ended = phase === 'ended' ? 'The stream is at its end' : undefined;
    say(
      byId('meter-label'),
      ended ?? `${what}: ${progress === null ? 'none yet' : `${countOf(progress.rows)} of ${countOf(progress.of)}`}`,
    );
    put(byId('meter-done'), { width: `${(ended ? 100 : 100 * share).toFixed(1)}%` });
    put(byId('meter'), { 'aria-valuenow': (100 * share).toFixed(0) });
  };

  const paintAge = (): void => {
    const age = estimate === null ? null : Math.max(0, Math.round((Date.now() - estimate.at) / 1000));
    show(byId('age'), estimate?.at ?? null, `${age === null ? '' : durationOf(age)} ago`);
  };

  const paintLedger = (): void => {
    const ledger = estimate?.privacy;
    if (!ledger) return;
    const number = (id: string, value: number | null | undefined): void =>
      show(byId(id), value ?? null, numeral(value ?? 0));
    number('epsilon', ledger.epsilon);
    number('delta', ledger.delta);
    number('ledger-mu', ledger.mu);
    number('ledger-rho', ledger.rho);
    const unit = ledger.unit === undefined || ledger.unit === 'row' ? 'one row' : `all rows of one ${ledger.unit}`;
    say(byId('ledger-unit'), unit);
    say(
      byId('guarantee'),
      ledger.note ??
        `Replacing ${unit} by any other changes the probability of anything that this page will ever show by a factor of at most e^epsilon, up to an additional probability of delta.`,
    );
  };

  const paintAlarms = (): void => {
    const alarm = estimate !== null && isAlarmed(estimate) ? estimate.alarm : null;
    reveal(byId('alarm'), alarm !== null);
    if (alarm !== null) {
      const after =
        facts?.onAlarm === 'note'
          ? 'Intervals no longer hold, because they count rows from before it.'
          : 'Counting has begun anew, and intervals hold from there.';
      list(byId('alarm'), 'p', [
        `A change was found at chunk ${countOf(alarm.chunk)}, most clearly in ${alarm.coefficient}. ${after}`,
      ]);
    }
    reveal(byId('no-alarms'), alarms.length === 0);
    reveal(byId('alarm-table'), alarms.length > 0);
    const body = byId('alarm-table').querySelector('tbody')!;
    const cells = [...alarms]
      .reverse()
      .map(({ chunk, coefficient, at }) => [countOf(chunk), coefficient, new Date(at).toLocaleString()]);
    if (body.dataset.holds === JSON.stringify(cells)) return;
    body.dataset.holds = JSON.stringify(cells);
    body.replaceChildren(
      ...cells.map(([chunk, name, at]) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row' }, chunk!),
          make('td', {}, make('bdi', {}, name!)),
          make('td', { class: 'number' }, at!),
        ),
      ),
    );
  };

  const paintNotes = ({ notes }: LiveEstimate): void => {
    const sentence = (text: string): string =>
      `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
    const [severe, mild] = [true, false].map(kind =>
      notes.filter(({ isSevere }) => isSevere === kind).map(({ text }) => sentence(text)),
    );
    reveal(byId('severe'), severe!.length > 0);
    list(byId('severe'), 'p', severe!);
    reveal(byId('notes-section'), mild!.length > 0);
    list(byId('note-list'), 'li', mild!.slice(0, MOST_NOTES));
  };

  const paintHistory = (): void => {
    const { names, points } = history;
    if (points.length === 0) return;
    const groups = Math.ceil(names.length / MOST_TRENDS);
    group = Math.min(group, groups - 1);
    paintPicker(groups, names.length);
    const first = group * MOST_TRENDS;
    const shown = names.slice(first, first + MOST_TRENDS);
    while (trends.length < shown.length) {
      const made = trend(110);
      trends.push(made);
      byId('trends').append(made.element);
    }
    for (const { element } of trends.splice(shown.length)) element.remove();
    const chunks = points.map(({ chunk }) => chunk);
    const mark = estimate?.alarm?.chunk ?? null;
    shown.forEach((name, k) => {
      const j = first + k;
      const bands = [points.map(({ anyTime }) => anyTime[j]!), points.map(({ now }) => now[j]!)];
      trends[k]!.update({ name, chunks, values: points.map(({ estimates }) => estimates[j]!), bands, mark });
    });
    const scored = points.filter(({ progressive }) => progressive !== null);
    if (scored.length === 0 || facts?.isPrivate) return;
    if (error === undefined) {
      error = trend(150);
      byId('errors').append(error.element);
    }
    error.update({
      name: 'Mean loss',
      chunks: scored.map(({ chunk }) => chunk),
      values: scored.map(({ progressive }) => progressive!.all),
      thin: scored.map(({ progressive }) => progressive!.chunk),
      bands: [],
      mark,
    });
  };

  const picker = byId<HTMLSelectElement>('group');
  const paintPicker = (groups: number, coefficients: number): void => {
    reveal(byId('picker'), groups > 1);
    if (picker.length === groups) return;
    picker.replaceChildren(
      ...Array.from({ length: groups }, (_, k) => {
        const last = Math.min(coefficients, (k + 1) * MOST_TRENDS);
        return make('option', { value: String(k) }, `${k * MOST_TRENDS + 1} to ${last} of ${coefficients}`);
      }),
    );
    picker.value = String(group);
  };
  picker.addEventListener('change', () => {
    group = Number(picker.value);
    paintHistory();
  });

  byId('pause').addEventListener('click', () => {
    isPaused = !isPaused;
    put(byId('pause'), { 'aria-pressed': String(isPaused) });
    if (isPaused) paintState();
    else paint();
  });
  setInterval(() => {
    if (!isPaused) paintAge();
  }, 1000);
}

/** Lines of text, remade only where they differ. */
function list(place: HTMLElement, tag: string, texts: readonly string[]): void {
  const held = [...place.children].map(child => child.textContent);
  if (held.length === texts.length && held.every((text, k) => text === texts[k])) return;
  place.replaceChildren(...texts.map(text => make(tag, {}, text)));
}

const durationOf = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${countOf(Math.floor(seconds / 3600))} h`;
};
