package suite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTranscriptsComeInTheOrderOfTheirBeginnings(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p/a.jsonl":                 "{\"type\":\"mode\"}\n{\"timestamp\":\"2000-01-02\"}\n",
		"p/b.jsonl":                 "{\"timestamp\":\"2000-01-01\"}\n",
		"p/b/subagents/agent.jsonl": "{\"timestamp\":\"1999-01-01\"}\n",
		"p/empty.jsonl":             "",
		"p/b/agent.meta.json":       "{}",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readTranscripts(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Transcript{
		{"p/b.jsonl", []string{`{"timestamp":"2000-01-01"}`}},
		{"p/a.jsonl", []string{`{"type":"mode"}`, `{"timestamp":"2000-01-02"}`}},
		{"p/b/subagents/agent.jsonl", []string{`{"timestamp":"1999-01-01"}`}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := readTranscripts(filepath.Join(dir, "missing")); got != nil || err != nil {
		t.Errorf("a session without transcripts gives %v, %v", got, err)
	}
}
