package ciformat

import (
	"encoding/json"
	"io"
	"path/filepath"
)

// A Rule is what a tool looks for.
type Rule struct{ ID, Short, Full string }

// A Finding is a place where a rule is broken.
type Finding struct {
	Rule, Text string
	File       string
}

// WriteSARIF writes the findings of a tool.
func WriteSARIF(w io.Writer, tool string, rules []Rule, findings []Finding) error {
	type object = map[string]any
	of, results := []object{}, []object{}
	for _, r := range rules {
		of = append(of, object{"id": r.ID, "shortDescription": object{"text": r.Short}, "fullDescription": object{"text": r.Full}})
	}
	for _, f := range findings {
		results = append(results, object{
			"ruleId": f.Rule, "level": "error", "message": object{"text": f.Text},
			"locations": []object{{"physicalLocation": object{"artifactLocation": object{"uri": filepath.ToSlash(f.File)}}}},
		})
	}
	run := object{"tool": object{"driver": object{"name": tool, "rules": of}}, "results": results}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []object{run}})
}
