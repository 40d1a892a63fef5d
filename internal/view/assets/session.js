  // What the rows say of their session: joins, folds, facts.
  const opened = new Set();  // the first pieces of messages whose pieces are listed
  const about = new Map();   // the rows that are about a use of a tool, by its row
  const facts = { version: "", model: "", mode: "", cost: 0, input: 0, output: 0, from: undefined, to: undefined };
  const BUILT = 400;         // how much of a message in pieces is listed

  function join(row, i) {
    if (row.p !== undefined) {
      row.p = here(row.p);
      if (row.p >= 0) row.depth = (rows[row.p].depth || 0) + 1;
    }
    if (row.j) {
      row.j = row.j.map(here).filter((use) => use >= 0 && use !== i);
      for (const use of row.j) {
        if (!about.has(use)) about.set(use, []);
        about.get(use).push(i);
      }
    }
    if (row.h !== undefined) {
      row.h = here(row.h);
      const head = rows[row.h];
      if (!head) return;
      head.pieces = (head.pieces || 0) + 1;
      if (row.k.endsWith("/content_block_delta") && (head.built || "").length < BUILT) head.built = (head.built || "") + (row.s || "");
    }
    if (row.k === "user" || row.k === "assistant" || row.k.startsWith("result")) talkRows.push(i);
  }

  function learn(row) {
    const q = row.q;
    if (q) {
      if (q.v && !q.v.startsWith("[")) facts.version = q.v;
      if (q.m) facts.model = q.m;
      if (q.p) facts.mode = q.p;
    }
    if (row.g) {
      facts.cost = Math.max(facts.cost, row.g.c || 0);
      facts.input += (row.g.i || 0) + (row.g.r || 0) + (row.g.w || 0);
      facts.output += row.g.o || 0;
    }
    if (row.t !== undefined) {
      facts.from ??= row.t;
      facts.to = row.t;
    }
  }

  const tokens = (n) => (n < 1000 ? String(n) : n < 1e6 ? (n / 1000).toFixed(1) + "k" : (n / 1e6).toFixed(2) + "M");
  const dollars = (n) => "$" + (n < 0.01 ? n.toFixed(4) : n.toFixed(2));

  // header says what session it is.
  function header() {
    const list = [];
    const add = (name, value) => { if (value) list.push([name, value]); };
    add("CLI", facts.version);
    add("model", facts.model);
    add("mode", facts.mode);
    add("turns", turns.size && String(turns.size));
    add("tokens", facts.input + facts.output > 0 && tokens(facts.input) + " in, " + tokens(facts.output) + " out");
    add("cost", facts.cost > 0 && dollars(facts.cost));
    add("time", facts.to > facts.from && span(facts.to - facts.from));
    byID("facts").replaceChildren(...list.map(([name, value]) => {
      const e = text("span", "");
      e.append(text("b", "", name), " ", value);
      return e;
    }));
    byID("facts").hidden = !list.length;
    byID("talking").hidden = !talkRows.length;
    byID("timing").hidden = !turns.size;
    if (!byID("times").hidden) times();
  }

  function foldedCount() {
    let n = 0;
    if (filter.value || onlyOdd) return 0;
    for (const row of rows) if (row.h >= 0 && !row.f && !opened.has(row.h)) n++;
    return n;
  }

  // fold opens or closes the message that a row is a piece of.
  function fold(i) {
    const head = rows[i]?.h >= 0 ? rows[i].h : i;
    if (!rows[head]?.pieces) return;
    flip(opened, head);
    arrange();
    pick(head);
  }

  // relations are the rows that a row is joined to by a tool, with a word for each.
  function relations(i) {
    const list = [], row = rows[i];
    for (const use of (row?.j || []).slice(0, 8)) list.push(["tool used in", use]);
    for (const one of (about.get(i) || []).slice(0, 8)) list.push([rows[one].k === "user" ? "result in" : rows[one].k.replace("control_request/", "") + " in", one]);
    if (row?.p >= 0) list.push(["subagent of", row.p]);
    if (row?.h >= 0) list.push(["piece of", row.h]);
    return list;
  }

  // related are the rows that are marked beside the one that is selected.
  function related(i) {
    return [other(i), ...relations(i).map(([, to]) => to)].filter((to) => to >= 0);
  }

  // Where the time went, by what was waited for.
  const CLASSES = ["model", "tools", "callbacks", "waiting"];

  // measure returns the turns with the parts of their time: [class, from, to].
  function measure() {
    const list = [], open = new Set();
    let turn = null, before, tools = new Set();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      if (row.t !== undefined && before !== undefined && turn) {
        const kind = !turn.going ? 3 : open.size ? 2 : tools.size ? 1 : 0;
        const last = turn.parts.at(-1);
        if (row.t > before) {
          if (last && last[0] === kind) last[2] = row.t;
          else turn.parts.push([kind, before, row.t]);
          turn.sums[kind] += row.t - before;
        }
      }
      if (row.t !== undefined) before = row.t;
      if (row.u && row.u !== turn?.number) {
        turn = { number: row.u, row: i, from: row.t, parts: [], sums: [0, 0, 0, 0], going: true };
        list.push(turn);
        tools = new Set();
        open.clear();
      }
      if (row.d === 1 && row.k.startsWith("control_request") && answered.has(i)) open.add(i);
      if (row.a >= 0) open.delete(row.a);
      if (row.k === "assistant" && about.get(i)?.some((one) => rows[one].k === "user")) tools.add(i);
      if (row.k === "user") for (const use of row.j || []) tools.delete(use);
      if (row.g && turn) Object.assign(turn, { usage: row.g, going: false });
      if (turn && row.t !== undefined) turn.to = row.t;
    }
    return list;
  }

  const TURNS = 200; // how many turns are in the table at once

  function times(most = TURNS) {
    const list = measure(), table = text("table"), head = text("tr");
    for (const word of ["Turn", "", ...CLASSES, "in", "out", "cost"]) head.append(text("th", CLASSES.includes(word) ? "class " + word : "", word));
    table.append(head);
    let cost = 0;
    const longest = Math.max(1, ...list.slice(0, most).map((t) => t.to - t.from || 0));
    const most_out = Math.max(1, ...list.slice(0, most).map((t) => t.usage?.o || 0));
    for (const turn of list.slice(0, most)) {
      const tr = text("tr"), name = text("td"), go = text("button", "", String(turn.number));
      go.addEventListener("click", () => pick(turn.row));
      name.append(go);
      const bar = text("td", "waterfall"), line = text("div");
      const width = turn.to - turn.from || 0;
      for (const [kind, from, to] of turn.parts.slice(0, 300)) {
        const part = text("i", CLASSES[kind]);
        part.style.left = ((from - turn.from) / longest) * 100 + "%";
        part.style.width = ((to - from) / longest) * 100 + "%";
        part.title = CLASSES[kind] + " " + span(to - from);
        line.append(part);
      }
      bar.append(line);
      if (!width) line.append(text("em", "", "no times"));
      tr.append(name, bar, ...turn.sums.map((ms) => text("td", "", ms ? span(ms) : "")));
      const u = turn.usage;
      const out = text("td", "used", u?.o ? tokens(u.o) : "");
      if (u?.o) {
        const level = text("i", "level");
        level.style.width = (u.o / most_out) * 100 + "%";
        out.append(level);
      }
      tr.append(text("td", "", u ? tokens((u.i || 0) + (u.r || 0) + (u.w || 0)) : ""), out);
      tr.append(text("td", "", u?.c ? dollars(Math.max(0, u.c - cost)) : "")); // what is written is the sum up to there
      if (u?.c) cost = u.c;
      table.append(tr);
    }
    byID("times").replaceChildren(table);
    if (list.length > most) {
      const more = text("button", "", list.length - most + " more turns");
      more.addEventListener("click", () => times(most * 10));
      byID("times").append(more);
    }
  }

  function toggleTimes() {
    const panel = byID("times");
    panel.hidden = !panel.hidden;
    byID("timing").setAttribute("aria-pressed", String(!panel.hidden));
    if (!panel.hidden) times();
    paint();
  }
