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
      x: () => fold(picked), c: () => toggleTalk(), t: () => toggleTimes(), m: () => mark(picked), b: () => nextOf([...marks].sort((a, b) => a - b), 1),
      y: () => copy("line", picked),
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
  function soon(f, ms = 60) {
    let due = 0;
    return () => {
      if (due) return;
      due = setTimeout(() => { due = 0; f(); }, ms);
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
      header();
      if (talking()) talk(true);
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
