package schemaedit

import (
	"fmt"
	"maps"
	"os"

	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/schema"
)

// UpdateHistory writes x-since, x-required-since and x-evidence into the files below dir, and
// returns those that it changed. Seen has the definitions that recordings contain.
//
// A definition that was seen is observed or recognised, since the oldest version that has it. One
// that was not, and is said to be observed, is declared. A member has keywords of its own only
// where it differs from its definition: an x-since if older versions write the object without it;
// an x-evidence if the definition was seen and the member never was. What is said by hand of
// something that was not seen stays, and so does the evidence of legacy shapes.
func UpdateHistory(dir string, seen map[string]evidence.History) (changed []string, err error) {
	set, err := schema.Load(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	texts, err := readFiles(dir)
	if err != nil {
		return nil, err
	}
	edited := maps.Clone(texts)
	for _, d := range set.Definitions() {
		text := edited[d.File]
		h, found := seen[d.Name()]
		if text, err = setWords(text, d.Node, definitionWords(d, h, found)); err != nil {
			return nil, fmt.Errorf("schema %s: %w", d.Name(), err)
		}
		for _, p := range d.Properties {
			if text, err = setWords(text, p.Node, memberWords(d, &p, h, found)); err != nil {
				return nil, fmt.Errorf("schema %s: %w", p.Location(), err)
			}
		}
		edited[d.File] = text
	}
	return writeFiles(dir, texts, edited)
}

// words are the keywords about the history of a node; "" stands for none.
type words struct{ since, requiredSince, evidence string }

// definitionWords returns what should be said of a definition.
func definitionWords(d *schema.Definition, h evidence.History, seen bool) words {
	w := words{since: d.Since, evidence: d.Evidence}
	switch {
	case seen && d.Unknown: // is not one thing that came with a version
		w = words{evidence: "observed"}
	case seen && d.Legacy():
		w.since = h.Since
	case seen:
		w = words{since: h.Since, evidence: h.Evidence}
	case d.Evidence == "observed":
		w = words{evidence: "declared"}
	}
	return w
}

// memberWords returns what should be said of a member of a definition.
func memberWords(d *schema.Definition, p *schema.Property, h evidence.History, defined bool) words {
	m, seen := h.Members[p.Name]
	w := words{since: p.Since, evidence: p.Evidence}
	switch {
	case d.Unknown || d.Legacy() || p.Legacy():
	case seen:
		w = words{since: m.Since, requiredSince: m.RequiredSince}
	case !defined && d.Evidence == "observed": // what was computed goes with it
		w.since = ""
		if p.Evidence == "declared" {
			w.evidence = ""
		}
	case defined && p.Evidence == "", p.Evidence == "observed":
		w.evidence = "declared"
	}
	return w
}

// setWords writes the words into a node's place in text.
func setWords(text []byte, n *schema.Node, w words) ([]byte, error) {
	if w == (words{n.Since, n.RequiredSince, n.Evidence}) {
		return text, nil
	}
	for _, word := range []struct{ name, was, is string }{
		{"x-since", n.Since, w.since},
		{"x-required-since", n.RequiredSince, w.requiredSince},
		{"x-evidence", n.Evidence, w.evidence},
	} {
		if word.was == word.is {
			continue
		}
		var err error
		if text, err = setWord(text, n.Pointer, word.name, word.is); err != nil {
			return nil, err
		}
	}
	return text, nil
}
