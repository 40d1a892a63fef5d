"use strict";
document.documentElement.classList.add("js");
document.addEventListener("DOMContentLoaded", () => {
	const byID = (id) => document.getElementById(id);
	const side = byID("side"), menu = byID("menu"), input = byID("q"), hits = byID("hits"), main = byID("main");

	// One article is shown at a time: the one that has what the address names.
	let shown = null, marked = null;
	function show() {
		let id = location.hash.slice(1);
		try { id = decodeURIComponent(id); } catch { id = ""; }
		const target = byID(id) || byID("home");
		const article = target.closest("article") || byID("home");
		if (shown) shown.classList.remove("on");
		shown = article;
		article.classList.add("on");
		document.title = article.dataset.title + " · stream-json";
		for (const a of side.querySelectorAll("[aria-current]")) a.removeAttribute("aria-current");
		const link = side.querySelector(`a[href="#${CSS.escape(article.id)}"]`);
		if (link) {
			const group = link.closest("details");
			if (group) group.open = true;
			link.setAttribute("aria-current", "page");
			const box = link.getBoundingClientRect(), frame = side.getBoundingClientRect();
			if (box.top < frame.top || box.bottom > frame.bottom) side.scrollTop += box.top - frame.top - frame.height / 3;
		}
		if (marked) marked.classList.remove("target");
		marked = target;
		target.classList.add("target");
		toggle(false);
		if (target === article) scrollTo(0, 0); else target.scrollIntoView();
	}
	addEventListener("hashchange", show);

	function toggle(open) {
		side.classList.toggle("open", open);
		menu.setAttribute("aria-expanded", String(open));
	}
	menu.addEventListener("click", () => toggle(!side.classList.contains("open")));

	// Examples and anchors can be copied.
	for (const caption of document.querySelectorAll(".example figcaption")) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "copy";
		button.textContent = "Copy";
		caption.append(button);
	}
	function copy(text, done) {
		if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
	}
	main.addEventListener("click", (event) => {
		const button = event.target.closest(".copy");
		if (button) {
			copy(button.closest("figure").querySelector("pre").textContent, () => {
				button.textContent = "Copied";
				setTimeout(() => { button.textContent = "Copy"; }, 1500);
			});
		}
		const here = event.target.closest(".here");
		if (here) copy(here.href, () => {});
	});

	let find = null;
	let at = -1;
	function search() {
		find ||= manualSearch(document.querySelectorAll("article"));
		hits.replaceChildren();
		at = -1;
		if (!input.value.trim()) return close();
		const found = find(input.value);
		found.forEach((item, i) => {
			const li = document.createElement("li"), b = document.createElement("b"), note = document.createElement("span");
			li.id = "hit-" + i;
			li.setAttribute("role", "option");
			li.dataset.to = item.id;
			b.textContent = item.name;
			note.textContent = item.note;
			li.append(b, note);
			hits.append(li);
		});
		if (!found.length) {
			const li = document.createElement("li");
			li.className = "none";
			li.textContent = "Nothing is about that.";
			hits.append(li);
		}
		hits.hidden = false;
		input.setAttribute("aria-expanded", "true");
		choose(found.length ? 0 : -1);
	}
	function choose(i) {
		const list = hits.querySelectorAll("[role=option]");
		if (list[at]) list[at].setAttribute("aria-selected", "false");
		at = list.length ? (i + list.length) % list.length : -1;
		if (at < 0) return input.removeAttribute("aria-activedescendant");
		list[at].setAttribute("aria-selected", "true");
		list[at].scrollIntoView({ block: "nearest" });
		input.setAttribute("aria-activedescendant", list[at].id);
	}
	function close() {
		hits.hidden = true;
		input.setAttribute("aria-expanded", "false");
	}
	function go(li) {
		if (!li) return;
		close();
		input.blur();
		if (location.hash === "#" + li.dataset.to) show(); else location.hash = li.dataset.to;
	}
	input.addEventListener("input", search);
	input.addEventListener("focus", () => { if (input.value) search(); });
	input.addEventListener("blur", close);
	input.addEventListener("keydown", (event) => {
		switch (event.key) {
		case "ArrowDown": choose(at + 1); break;
		case "ArrowUp": choose(at - 1); break;
		case "Enter": go(hits.hidden ? null : hits.querySelectorAll("[role=option]")[at]); break;
		case "Escape": input.value = ""; input.blur(); break;
		default: return;
		}
		event.preventDefault();
	});
	hits.addEventListener("mousedown", (event) => { event.preventDefault(); go(event.target.closest("[role=option]")); });
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
			event.preventDefault();
			input.focus();
			input.select();
		}
		if (event.key === "Escape") toggle(false);
	});
	show();
});
