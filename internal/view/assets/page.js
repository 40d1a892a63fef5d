"use strict";
(() => {
  const HEIGHT = 26, SPARE = 8; // of a row, in pixels; rows above and below what can be seen
  const LONG = 200000, STRING = 2000, MEMBERS = 300; // how much of a text, a string, an object is shown at once
  const LANES = ["to-cli", "to-sdk", "stderr", "model", "session", "plain"];
  const NAMES = ["SDK → CLI", "CLI → SDK", "stderr", "model", "session", "lines"];
  const byID = (id) => document.getElementById(id);
  const scroll = byID("scroll"), space = byID("space"), detail = byID("detail");
  const search = byID("search"), filter = byID("filter"), keys = byID("keys");

  const rows = [];           // all of them
  const answered = new Map(); // the answer of a request, by their rows
  const turns = new Map();   // what there is of a turn, by its number
  const kinds = new Map();   // how many rows there are of a kind
  const noLane = new Set(), noKind = new Set();
  let onlyOdd = false, oddCount = 0, gone = 0, ended = !document.body.dataset.live;
  let shown = [];            // what is listed: rows by their index, and turns as -1 - number
  let placeOf = new Map();   // where a row is listed
  let picked = -1, hits = [], isHit = new Set();
  let unpacked = false;      // all texts are there

  // text makes an element with a text, which is never markup.
  function text(tag, className, content) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (content !== undefined) e.textContent = content;
    return e;
  }

  // visible shows characters that cannot be seen, or that turn a text around.
  function visible(s) {
    return s.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  }

  const time = (ms) => (ms < 10 ? ms.toFixed(2) : ms < 1000 ? ms.toFixed(1) : ms.toFixed(0));
  const span = (ms) => (ms < 1000 ? time(ms) + " ms" : (ms / 1000).toFixed(2) + " s");

  const parts = []; // where rows without a gap begin: in the session, and here

  // here returns where a row of the session is in rows, -1 if it is not there.
  function here(index) {
    const p = parts.findLastIndex((part) => part.there <= index);
    if (p < 0) return -1;
    const i = parts[p].here + index - parts[p].there;
    return i < (p + 1 < parts.length ? parts[p + 1].here : rows.length) ? i : -1;
  }

  // take adds rows, which begin at an index of the session.
  function take(list, first) {
    const last = parts.at(-1);
    if (!last || first !== last.there + rows.length - last.here) parts.push({ there: first, here: rows.length });
    for (const row of list) {
      const i = rows.length;
      rows.push(row);
      if (row.a !== undefined) row.a = here(row.a);
      if (row.a >= 0 && !answered.has(row.a)) answered.set(row.a, i);
      kinds.set(row.k, (kinds.get(row.k) || 0) + 1);
      if (row.f) oddCount++;
      if (row.u) {
        const turn = turns.get(row.u) || { rows: 0, from: row.t, to: row.t, end: "" };
        turn.rows++;
        if (row.t !== undefined) turn.to = row.t;
        if (row.k.startsWith("result")) turn.end = row.k.slice(7);
        turns.set(row.u, turn);
      }
    }
  }

  function passes(row, needle) {
    return !noLane.has(row.d) && !noKind.has(row.k) && (!onlyOdd || row.f) && (!needle || has(row, needle));
  }

  function has(row, needle) {
    return (row.r && row.r.toLowerCase().includes(needle)) || row.k.toLowerCase().includes(needle) ||
      Boolean(row.s && row.s.toLowerCase().includes(needle));
  }

  // arrange finds out what is listed, from a row on.
  function arrange(from = 0) {
    const needle = filter.value.toLowerCase();
    if (from === 0) {
      shown = [];
      placeOf = new Map();
    }
    let turn = 0;
    for (let p = shown.length - 1; p >= 0 && !turn; p--) if (shown[p] < 0) turn = -1 - shown[p];
    for (let i = from; i < rows.length; i++) {
      const row = rows[i];
      if (!passes(row, needle)) continue;
      if (row.u && row.u !== turn) {
        turn = row.u;
        shown.push(-1 - turn);
      }
      placeOf.set(i, shown.length);
      shown.push(i);
    }
    space.style.height = shown.length * HEIGHT + "px";
    look();
    paint();
    tell();
  }

  function tell() {
    const listed = placeOf.size === rows.length ? rows.length + " rows" : placeOf.size + " of " + rows.length + " rows";
    let words = listed;
    if (gone) words += ", " + gone + " older ones are only in the recording";
    if (!ended) words += ", live";
    else if (!unpacked) words += ", unpacking";
    byID("state").textContent = words;
    byID("odd").textContent = "Findings " + oddCount;
  }

  // look finds the hits of the search among what is listed.
  function look() {
    const needle = search.value.toLowerCase();
    hits = [];
    if (needle) for (const i of shown) if (i >= 0 && has(rows[i], needle)) hits.push(i);
    isHit = new Set(hits);
    hitCount();
  }

  function hitCount() {
    const at = hits.indexOf(picked);
    byID("hits").textContent = search.value ? (at >= 0 ? at + 1 + "/" : "") + hits.length : "";
  }

  const drawn = new Map(); // the elements of rows that can be seen, by where they are listed

  // paint puts the rows that can be seen into the document, and takes out all others. Those that are
  // there may stay where only the place in the list has changed.
  function paint(keep) {
    const first = Math.max(0, Math.floor(scroll.scrollTop / HEIGHT) - SPARE);
    const last = Math.min(shown.length, Math.ceil((scroll.scrollTop + scroll.clientHeight) / HEIGHT) + SPARE);
    for (const [p, e] of drawn) {
      if (keep === true && p >= first && p < last) continue;
      e.remove();
      drawn.delete(p);
    }
    const fresh = document.createDocumentFragment();
    const partner = other(picked);
    for (let p = first; p < last; p++) {
      if (drawn.has(p)) continue;
      const e = shown[p] < 0 ? turnElement(-1 - shown[p]) : rowElement(shown[p], partner);
      e.style.top = p * HEIGHT + "px";
      drawn.set(p, e);
      fresh.append(e);
    }
    space.append(fresh);
  }

  function turnElement(number) {
    const turn = turns.get(number), e = text("div", "row turn");
    e.append(text("b", "", "Turn " + number));
    let words = turn.rows + " rows";
    if (turn.from !== undefined && turn.to !== undefined) words += ", " + span(turn.to - turn.from);
    if (turn.end) words += ", " + visible(turn.end);
    e.append(text("span", "", words));
    return e;
  }

  function rowElement(i, partner) {
    const row = rows[i], e = text("div", "row " + LANES[row.d]);
    e.dataset.row = i;
    e.id = "row" + i;
    e.setAttribute("role", "option");
    e.setAttribute("aria-selected", String(i === picked));
    if (i === picked) e.classList.add("picked");
    if (i === partner) e.classList.add("joined");
    if (isHit.has(i)) e.classList.add("hit");
    if (row.e) e.classList.add("failed");
    e.append(text("span", "n", row.n), text("span", "t", row.t === undefined ? "" : time(row.t)));
    const cell = text("div", "cell");
    const kind = text("span", row.k.startsWith("control_") ? "kind control" : "kind"), slash = row.k.indexOf("/") + 1;
    if (slash) kind.append(text("span", "pre", row.k.slice(0, slash)));
    kind.append(text("span", "main", row.k.slice(slash)));
    cell.append(kind, text("span", "sum", row.s || ""));
    const join = joinText(i);
    if (join) cell.append(text("span", "tag", join));
    if (row.f) {
      const bad = row.f.some((f) => f.s === "error");
      cell.append(text("span", bad ? "flag error" : "flag", row.f.length === 1 ? row.f[0].k : row.f.length + " findings"));
    }
    e.append(cell);
    return e;
  }

  // other returns the row that a row is joined to, -1 if there is none.
  function other(i) {
    if (i < 0 || !rows[i]) return -1;
    if (rows[i].a >= 0) return rows[i].a;
    return answered.has(i) ? answered.get(i) : -1;
  }

  function joinText(i) {
    const to = other(i);
    if (to < 0) return "";
    const ms = Math.abs(rows[to].t - rows[i].t);
    return (to < i ? "↩ " : "↪ ") + rows[to].n + (Number.isFinite(ms) ? " · " + span(ms) : "");
  }

  // pick selects a row and brings it into sight.
  function pick(i) {
    if (i < 0 || !rows[i]) return;
    if (!placeOf.has(i)) clear(); // it is hidden
    picked = i;
    const top = placeOf.get(i) * HEIGHT, height = scroll.clientHeight;
    if (top < scroll.scrollTop + HEIGHT) scroll.scrollTop = top - 2 * HEIGHT;
    else if (top + 2 * HEIGHT > scroll.scrollTop + height) scroll.scrollTop = top - height + 3 * HEIGHT;
    paint();
    hitCount();
    scroll.setAttribute("aria-activedescendant", "row" + i);
    if (!detail.hidden) show();
  }

  function clear() {
    filter.value = "";
    noLane.clear();
    noKind.clear();
    onlyOdd = false;
    controls();
    arrange();
  }

  // step goes to another listed row.
  function step(by) {
    let p = placeOf.has(picked) ? placeOf.get(picked) : by > 0 ? -1 : shown.length;
    const way = Math.sign(by);
    for (let n = Math.abs(by); n > 0; ) {
      p += way;
      if (p < 0 || p >= shown.length) {
        p = way > 0 ? shown.length - 1 : 0;
        break;
      }
      if (shown[p] >= 0) n--;
    }
    while (shown[p] < 0 && p + 1 < shown.length) p++;
    if (shown[p] >= 0) pick(shown[p]);
  }

  function nextOf(list, way) {
    if (!list.length) return;
    if (way > 0) pick(list.find((i) => i > picked) ?? list[0]);
    else pick(list.findLast((i) => i < picked) ?? list[list.length - 1]);
  }

  // show fills the panel with the row that is selected.
  function show() {
    const row = rows[picked];
    if (!row) return;
    const panel = document.createDocumentFragment();
    panel.append(text("h2", "", row.k));
    const meta = text("div", "meta");
    meta.append(text("span", "", NAMES[row.d]), text("span", "", "line " + row.n));
    if (row.t !== undefined) meta.append(text("span", "", "at " + time(row.t) + " ms"));
    if (row.u) meta.append(text("span", "", "turn " + row.u));
    if (row.r) meta.append(text("span", "", row.r.length + " characters"));
    panel.append(meta);
    if (row.x) panel.append(text("p", "finding", row.x));
    const bar = text("div", "bar");
    const back = text("button", "", "← Rows");
    back.id = "back";
    back.addEventListener("click", hide);
    bar.append(back);
    const to = other(picked);
    if (to >= 0) {
      const ms = Math.abs(rows[to].t - row.t);
      const go = text("button", "", (to < picked ? "answers " : "answered by ") + "line " + rows[to].n + ", " + rows[to].k +
        (Number.isFinite(ms) ? ", after " + span(ms) : ""));
      go.id = "partner";
      go.addEventListener("click", () => pick(to));
      bar.append(go);
    }
    panel.append(bar);
    for (const f of row.f || []) {
      panel.append(text("div", f.s === "error" ? "finding error" : "finding",
        f.s + ": " + f.k + (f.p ? " at " + f.p : "") + (f.d ? ": " + f.d : "")));
    }
    if (row.r) panel.append(bothForms(row.r));
    for (const name of row.m || []) {
      const entry = document.querySelector(`template[data-name="${CSS.escape(name)}"]`);
      if (!entry) continue;
      const manual = text("div", "manual");
      manual.append(entry.content.cloneNode(true));
      panel.append(manual);
    }
    detail.replaceChildren(panel);
    detail.scrollTop = 0;
  }

  function bothForms(raw) {
    const both = text("div", "both");
    const left = text("div"), right = text("div");
    left.append(text("h3", "", "Raw"), pieces(raw));
    right.append(text("h3", "", "Decoded"));
    const tree = text("div", "tree");
    let value;
    try {
      value = JSON.parse(raw);
      grow(tree, "", value, true);
    } catch {
      tree.append(text("span", "more", "not JSON"));
    }
    right.append(tree);
    both.append(left, right);
    return both;
  }

  // pieces shows a text, a long one piece by piece.
  function pieces(raw) {
    const pre = text("pre");
    let at = 0;
    const more = text("button", "", "");
    const next = () => {
      more.remove();
      pre.append(document.createTextNode(visible(raw.slice(at, at + LONG))));
      at += LONG;
      if (at < raw.length) {
        more.textContent = raw.length - at + " more characters";
        pre.append(more);
      }
    };
    more.addEventListener("click", next);
    next();
    return pre;
  }

  // grow shows a value. What is in an object or list is made when it is opened.
  function grow(into, name, value, open) {
    const label = (e) => { if (name !== "") e.append(text("span", "name", visible(name.slice(0, 200))), ": "); return e; };
    if (value === null || typeof value !== "object") {
      const leaf = label(text("div", "leaf"));
      const shownText = typeof value === "string" ? JSON.stringify(value.slice(0, STRING)) : String(value);
      leaf.append(text("span", typeof value === "string" ? "str" : "lit", visible(shownText)));
      if (typeof value === "string" && value.length > STRING) leaf.append(text("span", "more", " … " + value.length + " characters"));
      into.append(leaf);
      return;
    }
    const list = Array.isArray(value), entries = list ? value.map((v, i) => [String(i), v]) : Object.entries(value);
    const box = document.createElement("details");
    const head = label(text("summary"));
    head.append(text("span", "more", list ? "[" + entries.length + "]" : "{" + entries.length + "}"));
    box.append(head);
    let made = false;
    const make = () => {
      if (made) return;
      made = true;
      const inner = text("div");
      let at = 0;
      const more = text("button", "", "more");
      const next = () => {
        more.remove();
        for (const [k, v] of entries.slice(at, at + MEMBERS)) grow(inner, k, v, false);
        at += MEMBERS;
        if (at < entries.length) inner.append(more);
      };
      more.addEventListener("click", next);
      next();
      box.append(inner);
    };
    box.addEventListener("toggle", () => { if (box.open) make(); });
    if (open || (entries.length <= 12 && depthOf(into) < 4)) {
      make();
      box.open = true;
    }
    into.append(box);
  }

  function depthOf(e) {
    let n = 0;
    for (; e; e = e.parentElement) if (e.tagName === "DETAILS") n++;
    return n;
  }

  function hide() {
    detail.hidden = true;
    detail.replaceChildren();
    paint();
    scroll.focus();
  }

  function toggle() {
    if (!detail.hidden) return hide();
    if (picked < 0) step(1);
    if (picked < 0) return;
    detail.hidden = false;
    show();
    pick(picked);
  }

  // controls shows the lanes and kinds that there are, and which are hidden.
  function controls() {
    const lanes = byID("lanes");
    const there = new Set(rows.map((r) => r.d));
    lanes.replaceChildren(...LANES.map((name, d) => {
      const b = text("button", name, NAMES[d]);
      b.dataset.lane = d;
      b.setAttribute("aria-pressed", String(!noLane.has(d)));
      b.addEventListener("click", () => { flip(noLane, d); controls(); arrange(); });
      return there.has(d) ? b : null;
    }).filter(Boolean));
    byID("odd").setAttribute("aria-pressed", String(onlyOdd));
    if (byID("kinds").open) kindList();
  }

  function kindList() {
    const every = text("div", "all");
    for (const [word, act] of [["All", () => noKind.clear()], ["None", () => kinds.forEach((_, k) => noKind.add(k))]]) {
      const b = text("button", "", word);
      b.addEventListener("click", () => { act(); controls(); arrange(); });
      every.append(b);
    }
    const list = [...kinds].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([kind, count]) => {
      const label = text("label"), box = text("input");
      box.type = "checkbox";
      box.checked = !noKind.has(kind);
      box.addEventListener("change", () => { flip(noKind, kind); arrange(); });
      label.append(box, text("span", "", kind), text("span", "", count));
      return label;
    });
    byID("kindlist").replaceChildren(every, ...list);
  }

  function flip(set, value) {
    if (!set.delete(value)) set.add(value);
  }

  function key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || keys.open) return;
    const typing = e.target instanceof HTMLInputElement && e.target.type === "search";
    if (e.key === "Escape") {
      if (byID("kinds").open) byID("kinds").open = false;
      else if (typing) {
        if (e.target.value) { e.target.value = ""; arrange(); }
        scroll.focus();
      } else if (!detail.hidden) hide();
      else if (search.value || filter.value) { search.value = filter.value = ""; arrange(); }
      return e.preventDefault();
    }
    if (typing) {
      if (e.key !== "Enter") return;
      if (e.target === search) nextOf(hits, e.shiftKey ? -1 : 1);
      else scroll.focus();
      return e.preventDefault();
    }
    if (e.target.closest?.("button, summary, label") && (e.key === "Enter" || e.key === " ")) return;
    const page = Math.max(1, Math.floor(scroll.clientHeight / HEIGHT) - 1);
    const act = {
      j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
      PageDown: () => step(page), PageUp: () => step(-page), " ": () => step(page),
      g: () => step(-Infinity), Home: () => step(-Infinity), G: () => step(Infinity), End: () => step(Infinity),
      Enter: toggle, o: () => pick(other(picked)), n: () => nextOf(hits, 1), N: () => nextOf(hits, -1),
      e: () => nextOf(shown.filter((i) => i >= 0 && rows[i].f), 1),
      "/": () => enter(search), f: () => enter(filter), "?": () => keys.showModal(),
    }[e.key];
    if (!act) return;
    act();
    e.preventDefault();
  }

  function enter(input) {
    input.focus();
    input.select();
  }

  // soon returns a function that calls f once after several calls.
  function soon(f) {
    let due = 0;
    return () => {
      if (due) return;
      due = setTimeout(() => { due = 0; f(); }, 60);
    };
  }

  function listen() {
    let from = 0;
    const update = soon(() => {
      const follow = scroll.scrollTop + scroll.clientHeight > space.clientHeight - 2 * HEIGHT;
      const start = from;
      from = rows.length;
      controls();
      arrange(start);
      if (follow && detail.hidden) scroll.scrollTop = space.clientHeight;
    });
    const events = new EventSource("events");
    events.addEventListener("rows", (e) => {
      const list = JSON.parse(e.data);
      take(list, Number(e.lastEventId) - list.length);
      update();
    });
    events.addEventListener("gap", (e) => { gone += Number(e.data); update(); });
    events.addEventListener("end", () => { ended = true; events.close(); update(); });
  }

  // unpack unpacks the texts of the rows, one element after the other, while the page is there.
  async function unpack() {
    let i = 0;
    for (const e of document.querySelectorAll("script.texts")) {
      const packed = atob(e.textContent), bytes = new Uint8Array(packed.length);
      for (let n = 0; n < packed.length; n++) bytes[n] = packed.charCodeAt(n);
      e.remove();
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      for (const one of JSON.parse(await new Response(stream).text())) {
        if (one) rows[i].r = one;
        i++;
      }
      if (picked >= 0 && picked < i && !detail.hidden && !detail.querySelector(":scope > .both")) show();
      await new Promise((done) => setTimeout(done));
    }
    unpacked = true;
    if (search.value || filter.value) arrange();
    tell();
  }

  for (const e of document.querySelectorAll("script.rows")) {
    take(JSON.parse(e.textContent), rows.length);
    e.remove();
  }
  controls();
  arrange();
  setTimeout(unpack, 50); // after the first rows
  if (!ended) listen();
  scroll.addEventListener("scroll", () => requestAnimationFrame(() => paint(true)), { passive: true });
  new ResizeObserver(paint).observe(scroll);
  space.addEventListener("click", (e) => {
    const row = e.target.closest("[data-row]");
    if (!row) return;
    picked = Number(row.dataset.row);
    detail.hidden = false;
    pick(picked);
  });
  search.addEventListener("input", soon(() => { look(); paint(); if (hits.length && !isHit.has(picked)) nextOf(hits, 1); }));
  filter.addEventListener("input", soon(() => arrange()));
  byID("odd").addEventListener("click", () => { onlyOdd = !onlyOdd; controls(); arrange(); });
  byID("kinds").addEventListener("toggle", () => { if (byID("kinds").open) kindList(); });
  byID("help").addEventListener("click", () => keys.showModal());
  document.addEventListener("keydown", key);
  scroll.focus();
})();
