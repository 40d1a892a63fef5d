package differ

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// file is a file of a scenario.
type file = txtar.File

// parts are what a session is made of, so that each can be left out.
type parts struct {
	name    string
	title   string
	header  []string   // lines, but for the arguments
	args    [][]string // a flag and its values
	steps   [][]string // a step of the SDK, and what it waits for
	turns   []json.RawMessage
	files   []file
	bare    bool                       // the arguments are all
	members map[string]json.RawMessage // of api.json, beside the turns
}

// partsOf takes a session apart.
func partsOf(s *scenario.Scenario) (*parts, error) {
	p := &parts{name: s.Name, title: s.Title, bare: s.Bare, members: map[string]json.RawMessage{}}
	archive := txtar.Parse([]byte(s.Text))
	for line := range strings.Lines(string(archive.Comment)) {
		name, _, ok := strings.Cut(line, ":")
		if ok && slices.Contains([]string{"level", "since", "until", "earlier", "env", "timeout", "varies"}, name) {
			p.header = append(p.header, strings.TrimSpace(line))
		}
	}
	for _, w := range s.Args {
		if n := len(p.args); n > 0 && !strings.HasPrefix(w, "--") {
			p.args[n-1] = append(p.args[n-1], w)
		} else {
			p.args = append(p.args, []string{w})
		}
	}
	for _, f := range archive.Files {
		switch f.Name {
		case "script":
			p.steps = stepsOf(string(f.Data))
		case "api.json":
			if err := json.Unmarshal(f.Data, &p.members); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(p.members["turns"], &p.turns); err != nil && p.members["turns"] != nil {
				return nil, err
			}
			delete(p.members, "turns")
		default:
			p.files = append(p.files, f)
		}
	}
	return p, nil
}

// stepsOf cuts a script: what the CLI must do belongs to the step before it.
func stepsOf(script string) (list [][]string) {
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		if n := len(list); n > 0 && (strings.HasPrefix(line, "<") || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			list[n-1] = append(list[n-1], line)
		} else if line != "" {
			list = append(list, []string{line})
		}
	}
	return list
}

// scenario puts the parts together again.
func (p *parts) scenario() (*scenario.Scenario, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", p.title, strings.Join(p.header, "\n"))
	if words := slices.Concat(p.args...); len(words) > 0 || p.bare {
		name := "args"
		if p.bare {
			name = "bareargs"
		}
		for i := range words {
			words[i] = word(words[i])
		}
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(words, " "))
	}
	b.WriteString("\n")
	archive := &txtar.Archive{Comment: []byte(b.String())}
	script := strings.Join(slices.Concat(p.steps...), "\n") + "\n"
	archive.Files = append(archive.Files, txtar.File{Name: "script", Data: []byte(script)})
	archive.Files = append(archive.Files, txtar.File{Name: "api.json", Data: p.apiText()})
	archive.Files = append(archive.Files, p.files...)
	return scenario.Parse(p.name, txtar.Format(archive))
}

func (p *parts) apiText() []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for _, name := range slices.Sorted(maps.Keys(p.members)) {
		fmt.Fprintf(&b, "%q: %s, ", name, p.members[name])
	}
	b.WriteString("\"turns\": [")
	for i, t := range p.turns {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n\t%s", t)
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}
