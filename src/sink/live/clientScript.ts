/** The script of the live page, made by `npm run embed` from the sources in `client`. */
export const clientScript = `// src/sink/page/numerals.ts
function numeral(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const rounded2 = Number(value.toPrecision(digits));
  const size = Math.abs(rounded2);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return scientific(rounded2, digits);
  return plain(rounded2, Math.max(0, Math.min(20, digits - 1 - exponentOf(size))));
}
function decimalsFor(error) {
  if (!(error > 0 && Number.isFinite(error))) return void 0;
  const decimals = 1 - exponentOf(error);
  return decimals > 7 || decimals < -8 ? void 0 : Math.max(0, decimals);
}
function decimal(value, decimals, digits = 5) {
  if (decimals === void 0 || !Number.isFinite(value)) return numeral(value, digits);
  const text = value.toLocaleString("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
  });
  return value === 0 || /[1-9]/.test(text) ? signed(text) : numeral(value, 1);
}
var countOf = (value) => plain(value, 0);
var powerOfTen = (exponent) => \`10\${superscript(exponent)}\`;
var plain = (value, decimals) => signed(value.toLocaleString("en", { maximumFractionDigits: decimals }));
function scientific(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = powerOfTen(Number(exponent));
  const factor = Number(mantissa);
  return factor === 1 ? power : \`\${signed(String(factor))} × \${power}\`;
}
var exponentOf = (size) => size === 0 ? 0 : Math.floor(Math.log10(size));
var signed = (text) => text.startsWith("-") ? /[1-9]/.test(text) ? \`−\${text.slice(1)}\` : text.slice(1) : text;
var superscript = (exponent) => [...String(exponent)].map((sign) => sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]).join("");

// src/sink/live/history.ts
var MOST_POINTS = 240;
var MOST_NUMBERS = 6e4;
var NO_HISTORY = { names: [], stride: 1, points: [] };
function remembered(history2, estimate) {
  const names = estimate.coefficients.map(({ name }) => name);
  const goesOn = names.length === history2.names.length && names.every((name, k) => name === history2.names[k]);
  const { stride, points } = goesOn ? history2 : NO_HISTORY;
  const most = Math.max(16, Math.min(MOST_POINTS, Math.floor(MOST_NUMBERS / (5 * Math.max(1, names.length)))));
  const kept = (step) => points.filter(({ chunk }) => chunk % step === 0 && chunk < estimate.chunk);
  const doubled = kept(stride).length >= most ? 2 * stride : stride;
  return { names: goesOn ? history2.names : names, stride: doubled, points: [...kept(doubled), pointOf(estimate)] };
}
var pointOf = ({ chunk, coefficients, progressiveError }) => ({
  chunk,
  estimates: coefficients.map(({ estimate }) => rounded(estimate)),
  now: coefficients.map(({ now }) => roundedEnds(now)),
  anyTime: coefficients.map(({ anyTime }) => roundedEnds(anyTime)),
  progressive: progressiveError
});
var rounded = (value) => Number(value.toPrecision(9));
var roundedEnds = (ends) => ends && [rounded(ends[0]), rounded(ends[1])];

// src/sink/live/client/dom.ts
var SVG = "http://www.w3.org/2000/svg";
var byId = (id) => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(\`the page has no \${id}\`);
  return found;
};
var filled = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
var make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
var draw = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}
function say(element, text) {
  if (element.textContent === text) return;
  const node = element.firstChild;
  if (node instanceof Text && node.nextSibling === null) node.data = text;
  else element.textContent = text;
}
function show(element, value, text) {
  if (value === null) element.removeAttribute("value");
  else put(element, { value: String(value) });
  say(element, value === null ? "–" : text);
}
function reveal(element, isShown) {
  if (element.hasAttribute("hidden") === isShown) element.toggleAttribute("hidden", !isShown);
}

// src/sink/live/client/announcer.ts
var INTERVAL = 5e3;
function announcer(element) {
  let spoken = "";
  let next = "";
  let timer;
  const speak = () => {
    timer = void 0;
    if (next === spoken) return;
    spoken = next;
    say(element, spoken);
    timer = setTimeout(speak, INTERVAL);
  };
  return (words) => {
    next = words;
    if (timer === void 0) speak();
  };
}

// src/sink/live/client/coefficients.ts
function coefficientRows() {
  const body = byId("rows-of-coefficients");
  let names = "";
  let rows = [];
  return ({ coefficients, level }) => {
    const found = JSON.stringify(coefficients.map(({ name }) => name));
    if (found !== names) {
      names = found;
      const made = coefficients.map(rowOf);
      body.replaceChildren(...made.map(({ element }) => element));
      rows = made.map(({ update }) => update);
    }
    for (const place of document.querySelectorAll(".level")) say(place, \`\${numeral(100 * level)} %\`);
    coefficients.forEach((coefficient, k) => {
      rows[k](coefficient);
    });
  };
}
var HEIGHT = 26;
var MIDDLE = String(HEIGHT / 2);
function rowOf({ name }) {
  const number = () => make("data");
  const [estimate, lower, upper, least, most, error] = [number(), number(), number(), number(), number(), number()];
  const across = { y1: MIDDLE, y2: MIDDLE };
  const [joint, interval] = [
    draw("line", { class: "joint", ...across }),
    draw("line", { class: "interval", ...across })
  ];
  const dot = draw("circle", { cy: MIDDLE, r: "4.5" });
  const strip = draw(
    "svg",
    { class: "strip", role: "img", width: "100%", height: String(HEIGHT) },
    draw("line", { class: "grid", x1: "0", x2: "100%", ...across }),
    draw("line", { class: "zero", x1: "50%", x2: "50%", y1: "0", y2: String(HEIGHT) }),
    joint,
    interval,
    dot
  );
  const cell = (kind, ...children) => make("td", { role: "cell", class: kind }, ...children);
  const element = make(
    "tr",
    { role: "row" },
    make("th", { scope: "row", role: "rowheader" }, make("bdi", {}, name)),
    cell("picture", strip),
    cell("number", make("b", {}, estimate), " ", make("small", {}, lower, " to ", upper)),
    cell("number any", make("small", {}, make("span", { class: "phone" }, "at any time "), least, " to ", most)),
    cell("number wide", error)
  );
  const update = (found) => {
    const decimals = found.error === null ? void 0 : decimalsFor(found.error);
    const shown = (place2, value) => show(place2, value ?? null, decimal(value ?? 0, decimals));
    shown(estimate, found.estimate);
    shown(lower, found.now?.[0]);
    shown(upper, found.now?.[1]);
    shown(least, found.anyTime?.[0]);
    shown(most, found.anyTime?.[1]);
    show(error, found.error, decimal(found.error ?? 0, decimals, 2));
    const reach = [found.estimate, ...found.now ?? [], ...found.anyTime ?? []].map(Math.abs);
    const furthest = Math.max(...reach.filter(Number.isFinite));
    const place = (value) => \`\${(50 + (furthest > 0 ? 44 * value / furthest : 0)).toFixed(2)}%\`;
    const stretch = (line, ends) => put(line, { x1: place(ends?.[0] ?? found.estimate), x2: place(ends?.[1] ?? found.estimate) });
    stretch(interval, found.now);
    stretch(joint, found.anyTime ?? found.now);
    put(dot, { cx: place(found.estimate) });
    const clear = isClear(found);
    const words = \`\${name}: \${numeral(found.estimate)}\${found.now === null ? "" : \`, from \${numeral(found.now[0])} to \${numeral(found.now[1])}\`}; \${clear ? \`clearly \${found.estimate > 0 ? "above" : "below"} zero\` : "not clearly different from zero"}\`;
    put(strip, { class: \`strip \${clear ? "clear" : "unclear"}\`, "aria-label": words });
  };
  return { element, update };
}
var isClear = ({ anyTime }) => anyTime !== null && (anyTime[0] > 0 || anyTime[1] < 0);

// src/sink/live/client/connection.ts
var SILENCE = 12e3;
var [FIRST_WAIT, LONGEST_WAIT] = [1e3, 15e3];
function connect({ on, lost, found }) {
  let source;
  let heard = Date.now();
  let wait = FIRST_WAIT;
  let timer;
  let isStopped = false;
  const open = () => {
    timer = void 0;
    heard = Date.now();
    source = new EventSource("/events");
    for (const kind of ["snapshot", "estimate", "status", "beat"]) {
      source.addEventListener(kind, (event) => {
        heard = Date.now();
        wait = FIRST_WAIT;
        found();
        if (kind !== "beat") on(kind, JSON.parse(event.data));
      });
    }
    source.onopen = () => {
      heard = Date.now();
      found();
    };
    source.onerror = () => {
      lost();
      if (source?.readyState === EventSource.CLOSED) again();
    };
  };
  const again = () => {
    source?.close();
    if (isStopped || timer !== void 0) return;
    timer = setTimeout(open, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    fetch("/healthz").then(
      ({ status }) => {
        if (status === 401) location.reload();
      },
      () => {
      }
    );
  };
  const watch2 = setInterval(() => {
    if (timer !== void 0 || Date.now() - heard < SILENCE) return;
    lost();
    again();
  }, 1e3);
  open();
  return {
    stop: () => {
      isStopped = true;
      clearInterval(watch2);
      clearTimeout(timer);
      source?.close();
    }
  };
}

// src/sink/live/client/login.ts
function login() {
  const give = async (token) => {
    const { status } = await fetch("/login", { headers: { Authorization: \`Bearer \${token}\` } });
    if (status === 204) location.reload();
    else say(byId("login-problem"), "This is not the token.");
  };
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given !== void 0) {
    history.replaceState(null, "", location.pathname);
    void give(decodeURIComponent(given)).catch(unreachable);
  }
  byId("login").addEventListener("submit", (event) => {
    event.preventDefault();
    void give(byId("token").value).catch(unreachable);
  });
}
var unreachable = () => say(byId("login-problem"), "The server cannot be reached; try again.");

// src/sink/live/client/trend.ts
var WIDTH = 1e3;
var MOST_TICKS = 5;
var SHORT = 8;
function trend(height) {
  const at = (y) => y.toFixed(1);
  const bands = ["broad", "narrow"].map((kind) => draw("path", { class: kind }));
  const thin = draw("path", { class: "thin" });
  const line = draw("path", { class: "path" });
  const mark = draw("line", { class: "floor", y1: "0", y2: String(height) });
  const inner = draw(
    "svg",
    {
      class: "inner",
      width: "100%",
      height: String(height),
      viewBox: \`0 0 \${WIDTH} \${height}\`,
      preserveAspectRatio: "none"
    },
    ...bands,
    thin,
    mark,
    line
  );
  const ticks = Array.from({ length: MOST_TICKS }, () => ({
    grid: draw("line", { class: "grid", x1: "0", x2: "100%" }),
    label: draw("text", { class: "y", x: "-10", dy: "0.33em" })
  }));
  const [first, last] = [
    draw("text", { class: "x first", x: "0", y: String(height + 18) }),
    draw("text", { class: "x last", x: "100%", y: String(height + 18) })
  ];
  const picture = draw(
    "svg",
    { role: "img", width: "100%", height: String(height + 24) },
    ...ticks.flatMap(({ grid, label }) => [grid, label]),
    inner,
    first,
    last
  );
  const name = make("bdi");
  const latest = make("data");
  const plot = make("div", { class: "plot" }, picture);
  const element = make("figure", { class: "trend" }, make("figcaption", {}, name, latest), plot);
  const update = (course) => {
    const { chunks, values } = course;
    const [from, to] = [chunks[0], chunks.at(-1)];
    const [bottom, top] = rangeOf(course);
    const x = (k) => at(to === from ? WIDTH : WIDTH * (chunks[k] - from) / (to - from));
    const y = (value) => at(Math.max(-9 * height, Math.min(10 * height, height * (top - value) / (top - bottom))));
    const path = (heights) => heights.map((value, k) => \`\${k === 0 ? "M" : "L"}\${x(k)} \${y(value)}\`).join("") + (heights.length === 1 ? "h-9" : "");
    put(line, { d: path(values) });
    put(thin, { d: path(course.thin ?? []) });
    bands.forEach((band, b) => {
      const known = (course.bands[b] ?? []).flatMap((ends, k) => ends === null ? [] : [[k, ends]]);
      const edge = (side) => known.map(([k, ends]) => \`\${x(k)} \${y(ends[side])}\`);
      put(band, { d: known.length < 2 ? "" : \`M\${[...edge(1), ...edge(0).reverse()].join("L")}Z\` });
    });
    const isMarked = course.mark !== null && course.mark > from && course.mark <= to;
    reveal(mark, isMarked);
    if (isMarked) {
      const place = at(WIDTH * (course.mark - from) / (to - from));
      put(mark, { x1: place, x2: place });
    }
    const found = ticksIn(bottom, top);
    const labels = found.map((value) => numeral(value, 5));
    put(plot, { class: labels.some((label) => label.length > SHORT) ? "plot wide" : "plot" });
    ticks.forEach(({ grid, label }, k) => {
      const value = found[k];
      reveal(grid, value !== void 0);
      reveal(label, value !== void 0);
      if (value === void 0) return;
      put(grid, { y1: y(value), y2: y(value), class: value === 0 ? "zero" : "grid" });
      put(label, { y: y(value) });
      say(label, labels[k]);
    });
    say(first, from === to ? "" : countOf(from));
    say(last, countOf(to));
    say(name, course.name);
    show(latest, values.at(-1), numeral(values.at(-1)));
    put(picture, {
      "aria-label": \`\${course.name} by chunk: \${numeral(values[0])} at chunk \${from}, \${numeral(values.at(-1))} at chunk \${to}\`
    });
  };
  return { element, update };
}
function rangeOf({ values, bands, thin = [] }) {
  const start = Math.floor(values.length / 3);
  const heights = [values, thin, ...bands.map((band) => band.map((ends) => ends ?? []))].flatMap((list2, k) => (k < 2 ? list2.slice(start) : list2.slice(Math.floor(2 * list2.length / 3))).flat()).filter(Number.isFinite);
  const [least, most] = [Math.min(...heights), Math.max(...heights)];
  const margin = 0.06 * (most - least) || 0.5 * Math.abs(most) || 1;
  return [least - margin, most + margin];
}
function ticksIn(bottom, top) {
  const rough = (top - bottom) / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const stride = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const count = Math.floor(top / stride) - Math.ceil(bottom / stride) + 1;
  return Array.from({ length: Math.max(0, Math.min(MOST_TICKS, count)) }, (_, k) => {
    const value = stride * (Math.ceil(bottom / stride) + k);
    return Number(value.toPrecision(12));
  });
}

// src/sink/live/client/main.ts
var INTERVAL2 = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1e3 : 250;
var MOST_TRENDS = 12;
var ALARM_LASTS = 100;
var MOST_NOTES = 20;
if (document.getElementById("login") !== null) login();
else watch();
function watch() {
  let facts;
  let estimate = null;
  let status;
  let history2 = NO_HISTORY;
  let alarms = [];
  let isLost = false;
  let isPaused = false;
  let group = 0;
  let timer;
  const rows = coefficientRows();
  const announce = announcer(byId("announcer"));
  const trends = [];
  let error;
  const line = connect({
    on: (kind, data) => {
      if (kind === "snapshot") ({ facts, estimate, history: history2, alarms, status } = data);
      else if (kind === "status") status = data;
      else {
        const { alarms: told, status: now, ...found } = data;
        estimate = found;
        alarms = told;
        status = now;
        history2 = remembered(history2, found);
      }
      if (status?.phase === "ended") line.stop();
      paintSoon();
    },
    lost: () => {
      if (status?.phase === "ended" || isLost) return;
      isLost = true;
      paintState();
    },
    found: () => {
      if (!isLost) return;
      isLost = false;
      paintState();
    }
  });
  const paintSoon = () => {
    if (timer !== void 0) return;
    timer = setTimeout(() => {
      timer = void 0;
      if (!isPaused) paint();
    }, INTERVAL2);
  };
  const paint = () => {
    if (facts === void 0 || status === void 0) return;
    paintState();
    paintTiles(facts, status);
    paintAlarms();
    if (estimate === null) return;
    put(document.querySelector("main"), { "data-empty": "false" });
    reveal(byId("no-coefficients"), false);
    reveal(byId("known"), true);
    rows(estimate);
    paintHistory();
    paintNotes(estimate);
    say(byId("meaning"), \`\${estimate.meaning} From \${facts.source}. Loss: \${estimate.loss}.\`);
    say(byId("as-of"), \`As of \${new Date(estimate.at).toLocaleString()}, chunk \${countOf(estimate.chunk)}.\`);
  };
  const paintState = () => {
    const [state, words] = stateOf();
    put(byId("state"), { "data-state": state });
    put(document.body, { "data-lost": String(isLost) });
    say(byId("state-words"), isPaused ? \`\${words} (paused here)\` : words);
    document.title = \`\${words.split(/[,:]/)[0]} · \${facts?.target ?? "sluice"}\`;
    announce(words);
  };
  const stateOf = () => {
    if (isLost) return ["disconnected", "Disconnected, retrying"];
    if (facts === void 0 || status === void 0) return ["connecting", "Connecting"];
    if (status.phase === "ended") return ["ended", "Ended: the stream is at its end"];
    if (Object.keys(status.problems).length > 0) return ["troubled", "Live, with a problem"];
    if (estimate === null) return ["waiting", "Waiting for the pilot"];
    return isAlarmed(estimate) ? ["alarmed", \`Alarm: \${estimate.alarm.coefficient} has changed\`] : ["live", "Live"];
  };
  const isAlarmed = ({ alarm, chunk }) => alarm !== null && (facts?.onAlarm === "note" || chunk - alarm.chunk < ALARM_LASTS);
  const count = (id, value, hint = "") => {
    show(byId(id), value, countOf(value ?? 0));
    say(byId(\`\${id}-hint\`), hint);
  };
  const paintTiles = ({ isPrivate }, now) => {
    const used = estimate?.rows.used ?? null;
    count("rows", isPrivate ? now.read : used ?? 0, isPrivate ? "" : \`of \${countOf(now.read)} read\`);
    count("chunk", estimate?.chunk ?? null);
    count("speed", now.rowsPerSecond);
    count("lag", now.lag, now.lag === null ? "not known to the source" : now.lag === 1 ? "item" : "items");
    if (isPrivate) paintLedger();
    else {
      const found = estimate?.progressiveError ?? null;
      show(byId("progressive"), found?.all ?? null, numeral(found?.all ?? 0));
      say(byId("progressive-hint"), found === null ? "no rows yet" : \`\${numeral(found.chunk)} in the latest chunk\`);
      const share = now.read > 0 ? 100 * (now.deadLetters ?? 0) / now.read : 0;
      count("dead-letters", now.deadLetters, now.deadLetters ? \`\${numeral(share, 2)} % of rows read\` : "");
    }
    const alarm = estimate?.alarm ?? null;
    show(byId("alarm-count"), alarm?.chunk ?? null, \`chunk \${countOf(alarm?.chunk ?? 0)}\`);
    say(byId("alarm-count-hint"), alarm?.coefficient ?? "none so far");
    paintMeter(now);
    paintAge();
    const problems = Object.values(now.problems);
    reveal(byId("problems"), problems.length > 0);
    list(byId("problems"), "p", problems);
  };
  const paintMeter = ({ phase, progress }) => {
    const share = progress === null ? 0 : Math.min(1, progress.rows / Math.max(1, progress.of));
    const what = phase === "waiting" ? "Rows of the pilot" : "Rows of the next chunk";
    const ended = phase === "ended" ? "The stream is at its end" : void 0;
    say(
      byId("meter-label"),
      ended ?? \`\${what}: \${progress === null ? "none yet" : \`\${countOf(progress.rows)} of \${countOf(progress.of)}\`}\`
    );
    put(byId("meter-done"), { width: \`\${(ended ? 100 : 100 * share).toFixed(1)}%\` });
    put(byId("meter"), { "aria-valuenow": (100 * share).toFixed(0) });
  };
  const paintAge = () => {
    const age = estimate === null ? null : Math.max(0, Math.round((Date.now() - estimate.at) / 1e3));
    show(byId("age"), estimate?.at ?? null, \`\${age === null ? "" : durationOf(age)} ago\`);
  };
  const paintLedger = () => {
    const ledger = estimate?.privacy;
    if (!ledger) return;
    const number = (id, value) => show(byId(id), value ?? null, numeral(value ?? 0));
    number("epsilon", ledger.epsilon);
    number("delta", ledger.delta);
    number("ledger-mu", ledger.mu);
    number("ledger-rho", ledger.rho);
    const unit = ledger.unit === void 0 || ledger.unit === "row" ? "one row" : \`all rows of one \${ledger.unit}\`;
    say(byId("ledger-unit"), unit);
    say(
      byId("guarantee"),
      ledger.note ?? \`Replacing \${unit} by any other changes the probability of anything that this page will ever show by a factor of at most e^epsilon, up to an additional probability of delta.\`
    );
  };
  const paintAlarms = () => {
    const alarm = estimate !== null && isAlarmed(estimate) ? estimate.alarm : null;
    reveal(byId("alarm"), alarm !== null);
    if (alarm !== null) {
      const after = facts?.onAlarm === "note" ? "Intervals no longer hold, because they count rows from before it." : "Counting has begun anew, and intervals hold from there.";
      list(byId("alarm"), "p", [
        \`A change was found at chunk \${countOf(alarm.chunk)}, most clearly in \${alarm.coefficient}. \${after}\`
      ]);
    }
    reveal(byId("no-alarms"), alarms.length === 0);
    reveal(byId("alarm-table"), alarms.length > 0);
    const body = byId("alarm-table").querySelector("tbody");
    const cells = [...alarms].reverse().map(({ chunk, coefficient, at }) => [countOf(chunk), coefficient, new Date(at).toLocaleString()]);
    if (body.dataset.holds === JSON.stringify(cells)) return;
    body.dataset.holds = JSON.stringify(cells);
    body.replaceChildren(
      ...cells.map(
        ([chunk, name, at]) => make(
          "tr",
          {},
          make("th", { scope: "row" }, chunk),
          make("td", {}, make("bdi", {}, name)),
          make("td", { class: "number" }, at)
        )
      )
    );
  };
  const paintNotes = ({ notes }) => {
    const sentence = (text) => \`\${text.charAt(0).toUpperCase()}\${text.slice(1)}\${/[.!?]$/.test(text) ? "" : "."}\`;
    const [severe, mild] = [true, false].map(
      (kind) => notes.filter(({ isSevere }) => isSevere === kind).map(({ text }) => sentence(text))
    );
    reveal(byId("severe"), severe.length > 0);
    list(byId("severe"), "p", severe);
    reveal(byId("notes-section"), mild.length > 0);
    list(byId("note-list"), "li", mild.slice(0, MOST_NOTES));
  };
  const paintHistory = () => {
    const { names, points } = history2;
    if (points.length === 0) return;
    const groups = Math.ceil(names.length / MOST_TRENDS);
    group = Math.min(group, groups - 1);
    paintPicker(groups, names.length);
    const first = group * MOST_TRENDS;
    const shown = names.slice(first, first + MOST_TRENDS);
    while (trends.length < shown.length) {
      const made = trend(110);
      trends.push(made);
      byId("trends").append(made.element);
    }
    for (const { element } of trends.splice(shown.length)) element.remove();
    const chunks = points.map(({ chunk }) => chunk);
    const mark = estimate?.alarm?.chunk ?? null;
    shown.forEach((name, k) => {
      const j = first + k;
      const bands = [points.map(({ anyTime }) => anyTime[j]), points.map(({ now }) => now[j])];
      trends[k].update({ name, chunks, values: points.map(({ estimates }) => estimates[j]), bands, mark });
    });
    const scored = points.filter(({ progressive }) => progressive !== null);
    if (scored.length === 0 || facts?.isPrivate) return;
    if (error === void 0) {
      error = trend(150);
      byId("errors").append(error.element);
    }
    error.update({
      name: "Mean loss",
      chunks: scored.map(({ chunk }) => chunk),
      values: scored.map(({ progressive }) => progressive.all),
      thin: scored.map(({ progressive }) => progressive.chunk),
      bands: [],
      mark
    });
  };
  const picker = byId("group");
  const paintPicker = (groups, coefficients) => {
    reveal(byId("picker"), groups > 1);
    if (picker.length === groups) return;
    picker.replaceChildren(
      ...Array.from({ length: groups }, (_, k) => {
        const last = Math.min(coefficients, (k + 1) * MOST_TRENDS);
        return make("option", { value: String(k) }, \`\${k * MOST_TRENDS + 1} to \${last} of \${coefficients}\`);
      })
    );
    picker.value = String(group);
  };
  picker.addEventListener("change", () => {
    group = Number(picker.value);
    paintHistory();
  });
  byId("pause").addEventListener("click", () => {
    isPaused = !isPaused;
    put(byId("pause"), { "aria-pressed": String(isPaused) });
    if (isPaused) paintState();
    else paint();
  });
  setInterval(() => {
    if (!isPaused) paintAge();
  }, 1e3);
}
function list(place, tag, texts) {
  const held = [...place.children].map((child) => child.textContent);
  if (held.length === texts.length && held.every((text, k) => text === texts[k])) return;
  place.replaceChildren(...texts.map((text) => make(tag, {}, text)));
}
var durationOf = (seconds) => {
  if (seconds < 60) return \`\${seconds} s\`;
  return seconds < 3600 ? \`\${Math.floor(seconds / 60)} min\` : \`\${countOf(Math.floor(seconds / 3600))} h\`;
};
`;
