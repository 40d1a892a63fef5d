  // The conversation: who said what, tools with their results.
  const talkRows = [];       // the rows that have a part in it
  const AT_ONCE = 30, KEPT = 120, SAID = 4000; // messages that are added and kept, characters of a text
  let talkFrom = 0, talkTo = 0; // what of talkRows is in the document

  const talking = () => !byID("talk").hidden;

  function toggleTalk() {
    const pane = byID("talk");
    pane.hidden = !pane.hidden;
    document.body.classList.toggle("talks", !pane.hidden);
    byID("talking").setAttribute("aria-pressed", String(!pane.hidden));
    if (talking()) follow(picked >= 0 ? picked : 0, true);
    paint();
  }

  // talk draws what is in the document anew; more adds what has come.
  function talk(more) {
    if (!talking()) return;
    if (more && talkTo < talkRows.length - AT_ONCE) return; // the reader is elsewhere
    const pane = byID("talk"), top = pane.scrollTop, end = top + pane.clientHeight > pane.scrollHeight - 40;
    if (more) talkTo = talkRows.length;
    talkFrom = Math.max(talkFrom, talkTo - KEPT, 0);
    fill(talkFrom, Math.max(talkTo, Math.min(AT_ONCE, talkRows.length)));
    pane.scrollTop = more && end ? pane.scrollHeight : top;
  }

  function fill(from, to) {
    talkFrom = from;
    talkTo = to;
    byID("talk").replaceChildren(...talkRows.slice(from, to).map(said).filter(Boolean));
  }

  // talkMore adds messages where the reader comes to an end of what is in the document.
  function talkMore() {
    const pane = byID("talk");
    if (pane.scrollTop + pane.clientHeight > pane.scrollHeight - 600 && talkTo < talkRows.length) {
      const to = Math.min(talkTo + AT_ONCE, talkRows.length);
      pane.append(...talkRows.slice(talkTo, to).map(said).filter(Boolean));
      talkTo = to;
    } else if (pane.scrollTop < 300 && talkFrom > 0) {
      const from = Math.max(0, talkFrom - AT_ONCE), height = pane.scrollHeight, top = pane.scrollTop;
      fill(from, Math.min(talkTo, from + KEPT));
      pane.scrollTop = top + pane.scrollHeight - height;
    }
  }

  // follow brings what was said at a row into sight.
  function follow(i, anew) {
    if (!talking()) return;
    let n = talkRows.findLastIndex((row) => row <= i);
    if (n < 0) n = 0;
    const shownAt = () => byID("talk").querySelector(`[data-said="${talkRows[n]}"]`);
    if (anew || n < talkFrom || n >= talkTo) fill(Math.max(0, n - 8), Math.min(talkRows.length, n + AT_ONCE));
    while (n > 0 && !shownAt() && n > talkFrom) n--; // a result is where its tool is
    for (const e of byID("talk").querySelectorAll(".here")) e.classList.remove("here");
    const e = shownAt();
    if (!e) return;
    e.classList.add("here");
    e.scrollIntoView({ block: "nearest" });
  }

  function talkClick(e) {
    const to = e.target.closest("[data-goto]");
    if (to) pick(Number(to.dataset.goto));
  }

  // said returns what a row says as an element, null if that is elsewhere in the conversation.
  function said(i) {
    const row = rows[i];
    const blocks = blocksOf(row);
    if (row.k === "user" && row.j?.length && blocks.every((b) => b?.type === "tool_result")) return null;
    if (playedBack(i)) return null;
    const kind = row.k.startsWith("result") ? "end" : row.k;
    const e = text("article", "say " + kind);
    e.dataset.said = i;
    if (row.depth) e.classList.add("nested", "depth" + Math.min(row.depth, 3));
    const by = text("button", "by", kind === "end" ? "Turn " + (row.u || "") + " " + row.k.slice(7) : kind === "user" ? "User" : "Assistant");
    by.dataset.goto = i;
    by.append(text("span", "n", (row.depth ? "subagent · " : "") + row.n));
    e.append(by);
    if (kind === "end") {
      const words = [];
      const turn = turns.get(row.u);
      if (turn?.to > turn?.from) words.push(span(turn.to - turn.from));
      if (row.g?.o) words.push(tokens(row.g.o) + " tokens out");
      if (row.g?.c) words.push(dollars(row.g.c) + " so far");
      if (row.k !== "result/success" && row.s) words.push(row.s);
      e.append(text("span", "ended", words.join(" · ")));
      return e;
    }
    for (const b of blocks) if (b) e.append(blockElement(i, b));
    return e;
  }

  // playedBack says whether a row is a prompt that the CLI writes back, and that is there already.
  function playedBack(i) {
    if (rows[i].k !== "user" || !rows[i].r?.includes('"isReplay":true')) return false;
    const n = talkRows.indexOf(i);
    return talkRows.slice(Math.max(0, n - AT_ONCE), n).some((before) => rows[before].k === "user" && rows[before].s === rows[i].s);
  }

  // blocksOf returns what a message has; its summary until its line is unpacked.
  function blocksOf(row) {
    let content;
    try { content = JSON.parse(row.r).message.content; } catch { /* it is cut, or not unpacked yet */ }
    if (typeof content === "string") return [{ type: "text", text: content }];
    if (!Array.isArray(content)) return [{ type: "text", text: row.s || "" }];
    return content.slice(0, MEMBERS);
  }

  function blockElement(i, b) {
    switch (b.type) {
      case "text": return prose("p", "", b.text);
      case "thinking": {
        const box = text("details", "thinking");
        box.append(text("summary", "", "Thinking"), prose("p", "", b.thinking));
        return box;
      }
      case "tool_use": return call(i, b);
      case "tool_result": return prose("pre", b.is_error ? "failed" : "", outputOf(b));
    }
    return text("p", "dim", visible(String(b.type).slice(0, 100)));
  }

  function prose(tag, className, content) {
    const s = typeof content === "string" ? content : JSON.stringify(content ?? "");
    const e = text(tag, className, visible(s.slice(0, SAID)));
    if (s.length > SAID) e.append(text("span", "more", " … " + s.length + " characters"));
    return e;
  }

  function outputOf(b) {
    if (!Array.isArray(b.content)) return b.content;
    return b.content.map((c) => (typeof c?.text === "string" ? c.text : "[" + c?.type + "]")).join("\n");
  }

  // call is the use of a tool with what was decided and what came of it.
  function call(i, b) {
    const box = text("details", "call"), head = text("summary");
    const input = b.input && typeof b.input === "object" ? b.input : {};
    const point = ["command", "file_path", "pattern", "url", "query", "path", "skill", "description", "prompt"].map((m) => input[m]).find((v) => typeof v === "string");
    head.append(text("b", "", visible(String(b.name).slice(0, 100))), text("code", "", visible((point ?? JSON.stringify(input)).slice(0, 300))));
    box.append(head);
    let came = null;
    for (const one of about.get(i) || []) {
      const row = rows[one];
      if (row.k === "user") came ??= blocksOf(row).find((r) => r?.type === "tool_result" && r.tool_use_id === b.id) && one;
      else if (row.k === "control_request/can_use_tool" && answered.has(one) && (!row.r || row.r.includes(JSON.stringify(b.id)))) {
        const decided = rows[answered.get(one)];
        const e = text("button", decided.s?.startsWith("allow") ? "decided allow" : "decided deny", decided.s || "answered");
        e.dataset.goto = answered.get(one);
        head.append(e);
      }
    }
    const tree = text("div", "tree");
    grow(tree, "", input, true);
    box.append(tree);
    if (came === null) {
      head.append(text("span", "pending", "no result"));
      return box;
    }
    const result = blocksOf(rows[came]).find((r) => r?.tool_use_id === b.id);
    if (result.is_error) head.append(text("span", "flag error", "failed"));
    const go = text("button", "by", "Result");
    go.dataset.goto = came;
    go.append(text("span", "n", rows[came].n));
    box.append(go, prose("pre", result.is_error ? "failed" : "", outputOf(result)));
    const s = outputOf(result);
    const first = text("span", "came", visible(String(typeof s === "string" ? s : "").split("\n", 1)[0].slice(0, 200)));
    head.append(first);
    return box;
  }
