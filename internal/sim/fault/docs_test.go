package fault

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTheDocumentHasEachFault(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/simulated.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range Table() {
		name := row.Name
		if row.Value != "" {
			name += "=" + row.Value
		}
		if line := fmt.Sprintf("| `%s` | `%s` | %s |\n", name, row.Where, row.Sentence); !strings.Contains(string(doc), line) {
			t.Errorf("docs/simulated.md lacks %s", line)
		}
	}
}
