package scoreboard

import (
	"os"
	"strings"
	"testing"
)

// TestTheTestsInTheDocumentAreTheOnesThatRun compares the code in docs/simulated.md with the files.
func TestTheTestsInTheDocumentAreTheOnesThatRun(t *testing.T) {
	doc, err := os.ReadFile("../../docs/simulated.md")
	if err != nil {
		t.Fatal(err)
	}
	for language, file := range map[string]string{
		"go":     "../../conformance/sim/greeting_test.go",
		"js":     "node/greeting.test.mjs",
		"python": "python/test_greeting.py",
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), "```"+language+"\n"+string(want)+"```\n") {
			t.Errorf("docs/simulated.md does not have %s as it is", file)
		}
	}
}
