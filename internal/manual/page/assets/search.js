// manualSearch returns a function that finds what words are about: names first, then what the
// entries and the pages of the guide say. It reads the page once.
function manualSearch(articles) {
	"use strict";
	const most = 40; // of what is found
	// Words that say nothing of what is looked for.
	const empty = new Set(("a an and any are as at be by can could do does for from had has have how i if in into is it its me my of on one or "
		+ "our so than that the their them then there this to was we what when where which while who why will with you your").split(" "));
	const fold = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
	// stem makes forms of a word alike: denies, denied and denying; tools and tool.
	const stem = (word) => word.length < 4 ? word
		: word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "").replace(/(.)\1$/, "$1").replace(/e$/, "");
	// What people say, and how the protocol calls it.
	const alike = new Map(Object.entries({
		abort: "interrupt", add: "set", agent: "subagent", always: "rule", answer: "response", approve: "allow", ask: "request", authentication: "authenticate",
		begin: "initialize", big: "long", budget: "cost max", change: "set", chat: "turn", close: "end eof", crash: "error exit", crlf: "cr", custom: "own sdk",
		directory: "cwd folder", fail: "error", first: "initialize begin", forbid: "deny", form: "elicitation schema", function: "server tool", halt: "interrupt",
		hang: "wait", kill: "stop interrupt", large: "long", list: "status names", location: "file folder path", log: "line text", login: "authenticate", money: "cost",
		old: "older version", price: "cost", queue: "merge next", ready: "initialize init", reject: "deny", remember: "rule update", retry: "again",
		save: "file folder kept", skip: "bypass", spawn: "start agent", spend: "cost", stderr: "standard", stdin: "input", stdout: "output", stop: "interrupt",
		store: "file folder kept", switch: "set", token: "usage", unknown: "other new", windows: "cr", write: "stream delta",
	}).map(([word, others]) => [stem(word), others]));
	// words are those of a text: a name with its parts, too.
	const words = (text) => {
		const list = [];
		for (const [token] of text.matchAll(/[A-Za-z0-9_]+/g)) {
			const parts = token.split("_").flatMap((part) => part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) || []);
			for (const part of parts.length > 1 ? [token, ...parts] : [token]) list.push(stem(fold(part)));
		}
		return list.filter(Boolean);
	};

	const names = [];        // titles and members
	const parts = [];        // what has text: a paragraph or row of the guide, or an entry
	const seen = new Map();  // in how many parts a word is
	// What is met often is asked for often, see the grades of the manual.
	const boosts = [1.6, 1.3, 1, 0.8, 0.6];
	const add = (id, title, kind, text, lead, members, boost, passage = false) => {
		const counts = new Map(), head = new Set(words(title)), first = new Set(words(lead)), has = new Set(members.map((name) => stem(fold(name))));
		let length = 0;
		for (const word of words(title + " " + text)) {
			counts.set(word, (counts.get(word) || 0) + 1);
			length++;
		}
		for (const word of counts.keys()) seen.set(word, (seen.get(word) || 0) + 1);
		parts.push({ id, title, kind, counts, head, first, has, length, boost, guide: kind === "Guide", passage });
	};
	for (const article of articles) {
		const title = article.dataset.title, kind = article.dataset.kind || "";
		const guide = article.classList.contains("guide");
		const grade = Math.max(...[...article.querySelectorAll("section")].map((section) => boosts[section.dataset.grade] || 1), 0) || 1;
		names.push({ name: title, id: article.id, note: kind, owner: "", guide, weight: guide ? 1.6 : grade });
		const lead = article.querySelector("p:not(.path):not(.facts)");
		if (guide) {
			const text = [...article.querySelectorAll("p, li, td, text")].map((e) => e.textContent).join(" ");
			add(article.id, title, kind, text, lead ? lead.textContent : "", [], 1);
			for (const passage of article.querySelectorAll("p, li, tr")) add(article.id, title, kind, passage.textContent, "", [], 1, true);
		}
		for (const section of article.querySelectorAll("section")) {
			const h = section.querySelector("h2"), own = h ? h.firstChild.textContent.trim() : "";
			const said = [...section.querySelectorAll("p:not(.facts), td")].map((e) => e.textContent).join(" ");
			const rows = [...section.querySelectorAll("[data-m]")];
			const about = section.querySelector("p:not(.facts)");
			const boost = (boosts[section.dataset.grade] || 1) * (kind === "Transcript entries" ? 0.5 : 1);
			add(section.id || article.id, own ? title + " " + own : title, kind, said, about ? about.textContent : "", rows.map((row) => row.dataset.m), boost);
			for (const row of rows) {
				const owner = own ? title + " " + own : title;
				names.push({ name: row.dataset.m, id: row.id, note: "member of " + owner, owner: title.toLowerCase(), weight: 0.7 * boost });
			}
		}
	}
	for (const item of names) {
		item.key = item.name.toLowerCase();
		item.folded = fold(item.name.slice(item.name.lastIndexOf("/") + 1));
		item.words = new Set(words(item.name));
	}
	const entries = parts.filter((part) => !part.guide);
	const average = entries.reduce((sum, part) => sum + part.length, 0) / entries.length;

	// byName says how well the words of a query name an item, 0 if they do not: each must be in its
	// name, or else in that of what has it.
	function byName(item, query) {
		let own = 0, covered = 0, begins = 0;
		for (const word of query) {
			const folded = fold(word), root = stem(folded);
			if (item.key.includes(word) || root && item.folded.includes(root)) {
				own++;
				covered += item.guide && item.words.has(root) ? 1 : folded.length / Math.max(item.folded.length, folded.length);
				if (item.key.startsWith(word)) begins = 0.1;
			} else if (!(item.owner + " " + item.note.toLowerCase()).includes(word)) return 0;
		}
		return own && (Math.min(1, covered) + begins) * item.weight * Math.pow(own / query.length, item.owner ? 2 : 0.5);
	}

	// byText says how much a part is about what is asked for, 0 if it says nothing of it. Each thing
	// that is asked for is a list of words, of which the one counts that the part says most of.
	function byText(part, query) {
		let sum = 0, matched = 0;
		for (const alternatives of query) {
			let best = 0;
			for (const [word, weight] of alternatives) {
				const count = part.counts.get(word) || 0;
				if (!count) continue;
				const rare = Math.log(1 + parts.length / seen.get(word));
				let n = rare * count * 2.2 / (count + 1.2 * (0.4 + 0.6 * Math.max(1, part.length / average)));
				if (part.first.has(word)) n += rare * 1.5;
				if (part.has.has(word)) n += rare * 2;
				if (part.head.has(word)) n += rare * (part.guide ? 3.5 : 2.5);
				best = Math.max(best, weight * n);
			}
			if (best) matched++;
			sum += best;
		}
		return sum * part.boost * Math.pow(matched / query.length, 2);
	}

	// edits is how many letters must be changed to make one word of another.
	function edits(a, b) {
		let row = Array.from({ length: b.length + 1 }, (_, j) => j);
		for (let i = 0; i < a.length; i++) {
			const next = [i + 1];
			for (let j = 0; j < b.length; j++) next.push(Math.min(row[j] + (a[i] === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
			row = next;
		}
		return row[b.length];
	}

	// nearest are the names that somebody may have meant who wrote another word.
	function nearest(word) {
		const folded = fold(word), limit = 1 + Math.floor(folded.length / 5);
		if (folded.length < 4) return [];
		return names.filter((item) => Math.abs(item.folded.length - folded.length) <= limit)
			.map((item) => [edits(folded, item.folded), item]).filter(([n]) => n <= limit)
			.sort((a, b) => a[0] - b[0] || b[1].weight - a[1].weight).map(([, item]) => item);
	}

	return function find(text) {
		const query = text.toLowerCase().split(/\s+/).filter(Boolean);
		if (!query.length) return [];
		const prose = query.some((word) => empty.has(word)) || query.length > 3;
		const found = new Map(); // by id
		const take = (n, item) => {
			const before = found.get(item.id);
			if (n > 0) found.set(item.id, { n: n + (before ? before.n : 0), item: before ? before.item : item });
		};
		if (!prose) for (const item of names) take((query.length > 1 ? 1 : 2) * byName(item, query), item);
		if (!found.size && query.length === 1) nearest(query[0]).forEach((item, i) => take(2 - i / 100, item));
		const asked = query.filter((word) => !empty.has(word))
			.map((word) => [...words(word).map((form) => [form, 1]), ...words(alike.get(stem(fold(word))) || "").map((form) => [form, 0.7])]
				.filter(([form]) => seen.has(form)))
			.filter((forms) => forms.length);
		if (asked.length) {
			const best = new Map(); // by id
			for (const part of parts) {
				const n = byText(part, asked), old = best.get(part.id) || { part, whole: 0, passage: 0 };
				if (part.passage) old.passage = Math.max(old.passage, n);
				else old.whole = part.guide ? 2 * n : n;
				if (n > 0) best.set(part.id, old);
			}
			const about = [...best.values()].map(({ part, whole, passage }) => [whole + 0.7 * passage, part]);
			const top = Math.max(...about.map(([n]) => n));
			for (const [n, part] of about) take(n / top, { id: part.id, name: part.title, note: part.kind });
		}
		return [...found.values()].sort((a, b) => b.n - a.n).slice(0, most).map(({ item }) => item);
	};
}
