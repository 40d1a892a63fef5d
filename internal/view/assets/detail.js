  // reveal opens the panel.
  function reveal() {
    detail.hidden = false;
    document.body.classList.add("open");
    show();
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
    for (const [word, i] of relations(picked)) {
      const go = text("button", "", word + " line " + rows[i].n);
      go.addEventListener("click", () => pick(i));
      bar.append(go);
    }
    panel.append(bar, verbs(picked));
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
