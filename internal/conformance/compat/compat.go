// Package compat writes the tables of what each recorded version of the CLI supports, from
// recordings only.
package compat

import (
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/conformance/inventory"
)

// A Document says which version supports what.
type Document struct {
	Versions []string `json:"versions"` // the columns, the oldest first
	Tables   []Table  `json:"tables"`
}

// A Table has a row for each feature of one kind.
type Table struct {
	Title string `json:"title"`
	Rows  []Row  `json:"rows"` // sorted by name
}

// A Row is one feature. Cells has "yes" or "error" by version; a version whose recordings do not
// show the feature is left out.
type Row struct {
	Name  string            `json:"name"`
	Cells map[string]string `json:"cells"`
}

// scenariosTitle is the table with a row for each scenario.
const scenariosTitle = "Scenarios that hold"

// New makes the document. The inventories, of which outlines are enough, are in the order of the
// columns, the oldest first.
func New(inventories []*inventory.Inventory) *Document {
	d := &Document{}
	for _, inv := range inventories {
		d.Versions = append(d.Versions, inv.Version)
	}
	d.add("Control requests of the SDK", inventories, func(_ string, c *inventory.Course, set func(row, cell string)) {
		for subtype, reply := range c.Asked {
			if reply == "success" {
				reply = "yes"
			}
			set(subtype, reply)
		}
	})
	d.add("Control requests of the CLI", inventories, func(_ string, c *inventory.Course, set func(row, cell string)) {
		for subtype := range c.Requests {
			set(subtype, "yes")
		}
	})
	d.add("Hook events", inventories, func(_ string, c *inventory.Course, set func(row, cell string)) {
		for event := range c.HookEvents {
			set(event, "yes")
		}
	})
	d.add("Messages of the CLI", inventories, func(_ string, c *inventory.Course, set func(row, cell string)) {
		for kind := range c.Types {
			if !strings.HasPrefix(kind, "control_request") && !strings.HasPrefix(kind, "control_response") {
				set(kind, "yes")
			}
		}
	})
	d.add(scenariosTitle, inventories, func(name string, _ *inventory.Course, set func(row, cell string)) {
		set(name, "yes")
	})
	return d
}

// add adds a table. Fill is called for each recording of each version.
func (d *Document) add(title string, inventories []*inventory.Inventory, fill func(scenario string, c *inventory.Course, set func(row, cell string))) {
	rows := map[string]map[string]string{}
	for _, inv := range inventories {
		set := func(row, cell string) {
			if rows[row] == nil {
				rows[row] = map[string]string{}
			}
			if rows[row][inv.Version] != "yes" {
				rows[row][inv.Version] = cell
			}
		}
		for name, c := range inv.Scenarios {
			fill(name, c, set)
		}
	}
	t := Table{Title: title}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		t.Rows = append(t.Rows, Row{name, rows[name]})
	}
	d.Tables = append(d.Tables, t)
}
