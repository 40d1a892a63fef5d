  for (const e of document.querySelectorAll("script.rows")) {
    take(JSON.parse(e.textContent), rows.length);
    e.remove();
  }
  controls();
  arrange();
  header();
  if (innerWidth > 1100 && talkRows.length) toggleTalk();
  arrive();
  addEventListener("hashchange", arrive);
  setTimeout(unpack, 50); // after the first rows
  if (!ended) listen();
  scroll.addEventListener("scroll", () => requestAnimationFrame(() => paint(true)), { passive: true });
  new ResizeObserver(paint).observe(scroll);
  space.addEventListener("click", (e) => {
    const row = e.target.closest("[data-row]");
    if (!row) return;
    const i = Number(row.dataset.row);
    if (e.target.closest("[data-fold]")) return fold(i);
    if (e.shiftKey && picked >= 0) return markRange(picked, i);
    picked = i;
    reveal();
    pick(picked);
  });
  search.addEventListener("input", soon(() => { look(); paint(); if (hits.length && !isHit.has(picked)) nextOf(hits, 1); }));
  filter.addEventListener("input", soon(() => arrange()));
  byID("odd").addEventListener("click", () => { onlyOdd = !onlyOdd; controls(); arrange(); });
  byID("kinds").addEventListener("toggle", () => { if (byID("kinds").open) kindList(); });
  byID("help").addEventListener("click", () => keys.showModal());
  byID("talking").addEventListener("click", toggleTalk);
  byID("timing").addEventListener("click", toggleTimes);
  byID("export").addEventListener("click", exportMarks);
  byID("talk").addEventListener("scroll", soon(talkMore), { passive: true });
  byID("talk").addEventListener("click", talkClick);
  document.addEventListener("keydown", key);
  scroll.focus();
