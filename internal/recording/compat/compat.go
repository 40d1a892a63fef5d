// Package compat writes the tables of what each recorded version of the CLI supports, from
// recordings only.
package compat

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// A Document says which version supports what.
type Document struct {
	Versions []string `json:"versions"` // the columns, the oldest first
	Tables   []Table  `json:"tables"`

	// Applies is how many scenarios of each area apply to a version, by area and version.
	Applies map[string]map[string]int `json:"applies"`

	// Definitions is how many definitions the schemas have, and Unseen those that no recording has.
	Definitions int      `json:"definitions"`
	Unseen      []Unseen `json:"unseen"`
}

// A Table has a row for each feature of one kind.
type Table struct {
	Title string `json:"title"`
	Rows  []Row  `json:"rows"` // sorted by name
}

// A Row is one feature. Cells has "yes", "error" or "no" by version; a version whose recordings do
// not show the feature is left out.
type Row struct {
	Name       string            `json:"name"`
	Definition string            `json:"definition,omitempty"` // the schema that stands for it, if there is one
	Cells      map[string]string `json:"cells"`
}

// Unseen lists definitions that no recording has, by what is known of them otherwise.
type Unseen struct {
	Evidence    string   `json:"evidence"`
	Definitions []string `json:"definitions"`
}

// scenariosTitle is the table with a row for each scenario.
const scenariosTitle = "Scenarios that hold"

// New makes the document of the sessions, which are those that the evidence is from. It has a
// column for each version with a recorded scenario.
func New(set *schema.Set, e *evidence.Evidence, sessions []*corpus.Session, all []*scenario.Scenario) *Document {
	d := &Document{Versions: columns(sessions), Definitions: len(set.Definitions()), Unseen: unseen(set, e)}
	d.add("Control requests of the SDK", askedBySDK(set, e))
	d.add("Control requests of the CLI", definitions(set, e, "control", "Request", func(r *schema.Definition) bool {
		return r.Direction != "sdk-to-cli"
	}))
	d.add("Hook events", definitions(set, e, "hook", "Input", func(*schema.Definition) bool { return true }))
	d.add("Messages of the CLI", messages(set, e))
	d.add(scenariosTitle, held(sessions))
	d.Applies = applies(all, d.Versions)
	return d
}

// columns returns the versions with a recorded scenario, the oldest first.
func columns(sessions []*corpus.Session) []string {
	versions := map[string]bool{}
	for _, s := range sessions {
		if s.Scenario != "" {
			versions[s.Version] = true
		}
	}
	return slices.SortedFunc(maps.Keys(versions), corpus.Compare)
}

// add adds a table of the rows that have a cell in a column.
func (d *Document) add(title string, rows []Row) {
	t := Table{Title: title}
	for _, r := range rows {
		maps.DeleteFunc(r.Cells, func(version, _ string) bool { return !slices.Contains(d.Versions, version) })
		if len(r.Cells) > 0 {
			t.Rows = append(t.Rows, r)
		}
	}
	slices.SortFunc(t.Rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	d.Tables = append(d.Tables, t)
}

// askedBySDK has a row for each request that the SDK makes. What the schemas do not name, or name
// as a request of the CLI, is in it only if a version does more than refuse it.
func askedBySDK(set *schema.Set, e *evidence.Evidence) (rows []Row) {
	for _, subtype := range e.Asked() {
		r := Row{Name: subtype, Cells: map[string]string{}}
		if def := set.Request(subtype); def != nil && def.Direction != "cli-to-sdk" {
			r.Definition = def.Name()
		}
		known := r.Definition != ""
		for version, outcome := range e.Outcomes(subtype) {
			r.Cells[version] = map[recording.Outcome]string{recording.Success: "yes", recording.Failure: "error", recording.Unsupported: "no"}[outcome]
			known = known || outcome != recording.Unsupported
		}
		if known {
			rows = append(rows, r)
		}
	}
	return rows
}

// definitions has a row for each file of a folder whose definition of that name the CLI wrote.
func definitions(set *schema.Set, e *evidence.Evidence, folder, name string, wanted func(*schema.Definition) bool) (rows []Row) {
	for _, d := range set.Definitions() {
		if path.Dir(d.File) == folder && d.Pointer == "/$defs/"+name && wanted(d) {
			rows = append(rows, written(e, strings.TrimSuffix(path.Base(d.File), ".json"), d))
		}
	}
	return rows
}

// messages has a row for each kind of line that the CLI writes besides control traffic, named by
// its tags, and for each kind of stream event.
func messages(set *schema.Set, e *evidence.Evidence) (rows []Row) {
	add := func(union, prefix string) {
		u, _ := set.Union(set.Lookup(union).Node)
		for _, arm := range u.Arms {
			name := prefix + kind(arm)
			if arm.Unknown || arm.Legacy || name == "control_request" || name == "control_response" {
				continue
			}
			rows = append(rows, written(e, name, arm.Definition))
		}
	}
	add(schema.FromCLI.Definition(), "")
	add("content/stream_event.json", "stream_event/")
	return rows
}

// kind names an arm by its tags, the coarsest first. Of a tag with several values it takes the word
// that the file has for them.
func kind(arm *schema.Arm) string {
	var parts []string
	for _, name := range []string{"type", "subtype"} {
		tag := arm.Tag(name)
		switch {
		case tag == nil:
		case len(tag.Values) == 1:
			parts = append(parts, tag.Values[0])
		default:
			file := strings.Split(path.Base(arm.Definition.File), ".")
			parts = append(parts, file[len(file)-2])
		}
	}
	return strings.Join(parts, "/")
}

// written is the row of a definition that the CLI writes.
func written(e *evidence.Evidence, name string, d *schema.Definition) Row {
	r := Row{Name: name, Definition: d.Name(), Cells: map[string]string{}}
	for _, version := range e.Written(d.Name()) {
		r.Cells[version] = "yes"
	}
	return r
}

// held has a row for each scenario that is recorded.
func held(sessions []*corpus.Session) (rows []Row) {
	cells := map[string]map[string]string{}
	for _, s := range sessions {
		if s.Scenario == "" {
			continue
		}
		if cells[s.Scenario] == nil {
			cells[s.Scenario] = map[string]string{}
		}
		cells[s.Scenario][s.Version] = "yes"
	}
	for name, c := range cells {
		rows = append(rows, Row{Name: name, Cells: c})
	}
	return rows
}

// applies counts the scenarios that apply to each version, by area and version.
func applies(all []*scenario.Scenario, versions []string) map[string]map[string]int {
	counts := map[string]map[string]int{}
	for _, s := range all {
		if counts[s.Area()] == nil {
			counts[s.Area()] = map[string]int{}
		}
		for _, text := range versions {
			if v, err := cli.ParseVersion(text); err == nil && s.Versions.Contains(v) {
				counts[s.Area()][text]++
			}
		}
	}
	return counts
}

// unseen lists the definitions that no recording has.
func unseen(set *schema.Set, e *evidence.Evidence) (lists []Unseen) {
	names := map[string][]string{}
	for _, d := range set.Definitions() {
		if len(e.Versions(d.Name())) == 0 {
			names[d.Evidence] = append(names[d.Evidence], d.Name())
		}
	}
	for _, word := range slices.Sorted(maps.Keys(names)) {
		lists = append(lists, Unseen{word, names[word]})
	}
	return lists
}
