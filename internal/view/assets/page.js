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
      join(row, i);
      learn(row);
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
      Boolean(row.s && row.s.toLowerCase().includes(needle)) || Boolean(row.built && row.built.toLowerCase().includes(needle));
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
      if (row.h >= 0 && !needle && !onlyOdd && !row.f && !opened.has(row.h)) continue; // folded
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
    const fold = foldedCount();
    const listed = placeOf.size + fold === rows.length ? rows.length + " rows" : placeOf.size + " of " + rows.length + " rows";
    let words = listed;
    if (fold) words += ", " + fold + " folded";
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
    const partner = new Set(related(picked));
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
    if (partner.has(i)) e.classList.add("joined");
    if (row.depth) e.classList.add("nested", "depth" + Math.min(row.depth, 3));
    if (marks.has(i)) e.classList.add("marked");
    if (isHit.has(i)) e.classList.add("hit");
    if (row.e) e.classList.add("failed");
    e.append(text("span", "n", row.n), text("span", "t", row.t === undefined ? "" : time(row.t)));
    const cell = text("div", "cell");
    const kind = text("span", row.k.startsWith("control_") ? "kind control" : "kind"), slash = row.k.indexOf("/") + 1;
    if (slash) kind.append(text("span", "pre", row.k.slice(0, slash)));
    kind.append(text("span", "main", row.k.slice(slash)));
    if (row.pieces) {
      const fold = text("button", "fold", opened.has(i) ? "▾" : "▸");
      fold.tabIndex = -1;
      fold.dataset.fold = i;
      fold.setAttribute("aria-label", "Pieces");
      cell.append(fold);
      kind.replaceChildren(text("span", "main", "message in pieces"));
    }
    cell.append(kind, text("span", "sum", row.built || row.s || ""));
    if (row.pieces) cell.append(text("span", "tag", row.pieces + 1 + " pieces"));
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
    if (to < 0) return rows[i].j?.length ? "⚒ " + rows[i].j.map((use) => rows[use].n).slice(0, 3).join(" ") : "";
    const ms = Math.abs(rows[to].t - rows[i].t);
    return (to < i ? "↩ " : "↪ ") + rows[to].n + (Number.isFinite(ms) ? " · " + span(ms) : "");
  }

  // pick selects a row and brings it into sight.
  function pick(i) {
    if (i < 0 || !rows[i]) return;
    if (!placeOf.has(i) && rows[i].h >= 0 && !opened.has(rows[i].h)) {
      opened.add(rows[i].h);
      arrange();
    }
    if (!placeOf.has(i)) clear(); // it is hidden
    picked = i;
    const top = placeOf.get(i) * HEIGHT, height = scroll.clientHeight;
    if (top < scroll.scrollTop + HEIGHT) scroll.scrollTop = top - 2 * HEIGHT;
    else if (top + 2 * HEIGHT > scroll.scrollTop + height) scroll.scrollTop = top - height + 3 * HEIGHT;
    paint();
    hitCount();
    scroll.setAttribute("aria-activedescendant", "row" + i);
    if (!detail.hidden) show();
    follow(i);
    remember();
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

  function hide() {
    detail.hidden = true;
    document.body.classList.remove("open");
    detail.replaceChildren();
    paint();
    scroll.focus();
  }

  function toggle() {
    if (!detail.hidden) return hide();
    if (picked < 0) step(1);
    if (picked < 0) return;
    reveal();
    pick(picked);
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
    talk();
    if (search.value || filter.value) arrange();
    tell();
  }
