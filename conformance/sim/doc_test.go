package sim_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/fault"
)

func TestThePackageCommentNamesEachFault(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range fault.Table() {
		name := row.Name
		if row.Value != "" {
			name += "=" + row.Value
		}
		if !regexp.MustCompile(`[ \t]` + regexp.QuoteMeta(name) + `(,|\n)`).Match(text) {
			t.Errorf("doc.go lacks %s", name)
		}
	}
}
