// manualSearch returns a function that finds what words are about: names first, then what the
// entries and the pages of the guide say. It reads the page once.
function manualSearch(articles) {
	"use strict";
	const most = 40; // of what is found
	// Words that say nothing of what is looked for.
	const empty = new Set(("a an and any are as at be by can could do does for from had has have how i if in into is it its me my of on one or "
		+ "our so than that the their them then there this to was we what when where which while who why will with you your").split(" "));
	// What people say, and how the protocol calls it.
	const alike = new Map(Object.entries({
		stop: "interrupt", abort: "interrupt", halt: "interrupt", kill: "interrupt", crash: "error exit", fail: "error", chang: "set", switch: "set",
		answer: "response", ask: "request", approv: "allow", forbid: "deny", reject: "deny", pric: "cost", money: "cost", spend: "cost",
		token: "usage", writ: "stream delta", chat: "turn", big: "long", larg: "long",
	}));
	const fold = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
	// stem makes forms of a word alike: denies, denied and denying; tools and tool.
	const stem = (word) => word.length < 4 ? word
		: word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "").replace(/(.)\1$/, "$1").replace(/e$/, "");
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
	const parts = [];        // what has text: a page of the guide, or an entry
	const seen = new Map();  // in how many parts a word is
	// What is met often is asked for often, see the grades of the manual.
	const boosts = [1.6, 1.3, 1, 0.8, 0.6];
	const add = (id, title, kind, text, lead, members, boost) => {
		const counts = new Map(), head = new Set(words(title)), first = new Set(words(lead)), has = new Set(members.map((name) => stem(fold(name))));
		let length = 0;
		for (const word of words(title + " " + text)) {
			counts.set(word, (counts.get(word) || 0) + 1);
			length++;
		}
		for (const word of counts.keys()) seen.set(word, (seen.get(word) || 0) + 1);
		parts.push({ id, title, kind, counts, head, first, has, length, boost, guide: kind === "Guide" });
	};
	for (const article of articles) {
		const title = article.dataset.title, kind = article.dataset.kind || "";
		names.push({ name: title, id: article.id, note: kind, weight: 2 });
		const lead = article.querySelector("p:not(.path):not(.facts)");
		if (article.classList.contains("guide")) {
			const text = [...article.querySelectorAll("p, li, td, text")].map((e) => e.textContent).join(" ");
			add(article.id, title, kind, text, lead ? lead.textContent : "", [], 1);
		}
		for (const section of article.querySelectorAll("section")) {
			const h = section.querySelector("h2"), own = h ? h.firstChild.textContent.trim() : "";
			const said = [...section.querySelectorAll("p:not(.facts), td")].map((e) => e.textContent).join(" ");
			const rows = [...section.querySelectorAll("[data-m]")];
			const about = section.querySelector("p:not(.facts)");
			add(section.id || article.id, own ? title + " " + own : title, kind, said, about ? about.textContent : "", rows.map((row) => row.dataset.m),
				(boosts[section.dataset.grade] || 1) * (kind === "Transcript entries" ? 0.5 : 1));
			for (const row of rows) {
				const owner = own ? title + " " + own : title;
				names.push({ name: row.dataset.m, id: row.id, note: "member of " + owner, owner: title.toLowerCase(), weight: 0 });
			}
		}
	}
	for (const item of names) {
		item.key = item.name.toLowerCase();
		item.folded = fold(item.name);
	}
	const average = parts.reduce((sum, part) => sum + part.length, 0) / parts.length;

	// byName says how well the words of a query name an item, 0 if they do not.
	function byName(item, query) {
		let sum = item.weight;
		for (const word of query) {
			const folded = fold(word);
			if (item.key === word) sum += 20;
			else if (folded && item.folded === folded) sum += 18;
			else if (item.key.startsWith(word)) sum += 10;
			else if (item.key.includes(word)) sum += 6;
			else if (item.owner && item.owner.includes(word)) sum += 3;
			else if (item.note.toLowerCase().includes(word)) sum += 1;
			else return 0;
		}
		return item.owner && !query.some((w) => item.key.includes(w) || item.folded === fold(w)) ? 0 : sum - item.key.length / 100;
	}

	// byText says how much a part is about what is asked for, 0 if it says nothing of it. Each thing
	// that is asked for is a list of words, of which the one counts that the part says most of.
	function byText(part, query, prose) {
		let sum = 0, matched = 0;
		for (const alternatives of query) {
			let best = 0;
			for (const word of alternatives) {
				const count = part.counts.get(word) || 0;
				if (!count) continue;
				const rare = Math.log(1 + parts.length / seen.get(word));
				let n = rare * count * 2.2 / (count + 1.2 * (0.4 + 0.6 * part.length / average));
				if (part.first.has(word)) n += rare * 1.5;
				if (part.has.has(word)) n += rare * 2;
				if (part.head.has(word)) n += rare * 2.5;
				best = Math.max(best, n);
			}
			if (best) matched++;
			sum += best;
		}
		if (part.guide) sum *= prose ? 2.2 : 1.2;
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
		const found = new Map(); // by id, in order
		const take = (item) => { if (!found.has(item.id) && found.size < most) found.set(item.id, item); };
		const prose = query.some((word) => empty.has(word)) || query.length > 3;
		if (!prose) names.map((item) => [byName(item, query), item]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]).forEach(([, item]) => take(item));
		if (!found.size && query.length === 1) nearest(query[0]).forEach(take);
		const asked = query.filter((word) => !empty.has(word))
			.map((word) => words(word + " " + (alike.get(stem(fold(word))) || "")).filter((form) => seen.has(form)))
			.filter((forms) => forms.length);
		if (asked.length) {
			parts.map((part) => [byText(part, asked, prose), part]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0])
				.forEach(([, part]) => take({ id: part.id, name: part.title, note: part.kind }));
		}
		return [...found.values()];
	};
}
