  // What can be done with rows: links, copies, bookmarks, files.
  const DIRS = ["sdk->cli", "cli->sdk", "stderr", "api"];
  const marks = new Set();

  // quoted is a text as a word of a shell.
  const quoted = (s) => "'" + s.replaceAll("'", "'\\''") + "'";

  // forms are what a row can be copied as.
  const forms = {
    line: (row) => row.r,
    "test vector": (row) => {
      const vector = { id: "recording/line-" + row.n, source: "recording", definition: row.m?.at(-1) };
      if (row.d < 2) vector.direction = row.d === 0 ? "sdk-to-cli" : "cli-to-sdk";
      try { vector.value = JSON.parse(row.r); } catch { vector.line = row.r; }
      vector.valid = !(row.f || []).some((f) => f.s === "error");
      return JSON.stringify(vector);
    },
    command: (row) => "printf '%s\\n' " + quoted(row.r) + " | " +
      (row.d === 1 ? "protogen explain -" : "claude -p --input-format stream-json --output-format stream-json --verbose"),
    link: (row, i) => location.href.split("#")[0] + place(i),
  };

  // place is the part of an address that leads to a row, with the bookmarks.
  function place(i) {
    const list = [...marks].sort((a, b) => a - b).slice(0, 500).join(",");
    return "#r" + i + (list ? "&m=" + list : "");
  }

  function verbs(i) {
    const bar = text("div", "bar verbs");
    const list = rows[i].r ? Object.keys(forms) : ["link"];
    for (const form of list) {
      const b = text("button", "", "Copy " + form);
      b.dataset.copy = form;
      b.addEventListener("click", () => copy(form, i, b));
      bar.append(b);
    }
    const m = text("button", "", marks.has(i) ? "★ Bookmarked" : "☆ Bookmark");
    m.id = "mark";
    m.addEventListener("click", () => mark(i));
    bar.append(m);
    return bar;
  }

  async function copy(form, i, button) {
    if (!rows[i] || (form !== "link" && !rows[i].r)) return;
    const content = forms[form](rows[i], i);
    try {
      await navigator.clipboard.writeText(content);
    } catch { // not allowed, or not there: the old way
      const box = document.createElement("textarea");
      box.value = content;
      box.className = "away";
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
      scroll.focus();
    }
    if (!button) return;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy " + form; }, 1200);
  }

  function mark(i) {
    if (!rows[i]) return;
    flip(marks, i);
    marked();
  }

  function markRange(a, b) {
    const [from, to] = a < b ? [a, b] : [b, a];
    for (const i of shown) if (i >= from && i <= to) marks.add(i);
    marked();
  }

  function marked() {
    byID("export").hidden = !marks.size;
    byID("export").textContent = "Export " + marks.size;
    paint();
    if (!detail.hidden && byID("mark")) byID("mark").textContent = marks.has(picked) ? "★ Bookmarked" : "☆ Bookmark";
    remember();
  }

  // exportMarks saves the rows that are marked as a recording of their own.
  function exportMarks() {
    const lines = [...marks].sort((a, b) => a - b).map((i) => rows[i]).filter((row) => row.r).map((row) =>
      row.d === 5 ? row.r : row.d === 4 ? (row.k === "start" ? row.r : "") : JSON.stringify({ dir: DIRS[row.d], t_ms: row.t, line: row.r })).filter(Boolean);
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/x-ndjson" }));
    a.download = "selected.ndjson";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  // remember keeps the place in the address. A browser minds if that is done too often.
  const remember = soon(() => {
    if (picked < 0) return;
    here_is = place(picked);
    history.replaceState(null, "", here_is);
  }, 400);
  let here_is = "";

  // arrive goes to the row that the address names.
  function arrive() {
    if (location.hash === here_is) return;
    const found = /^#r(\d+)(?:&m=([\d,]*))?$/.exec(location.hash);
    if (!found) return;
    marks.clear();
    for (const n of (found[2] || "").split(",")) if (n && rows[Number(n)]) marks.add(Number(n));
    if (rows[Number(found[1])]) {
      picked = Number(found[1]);
      reveal();
      pick(picked);
    }
    marked();
  }
