package accepts_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/accepts"
)

const sample = `control_request/initialize
 . extra: taken 2.0.77 2.1.325
 /agents/*/tools string: refused 2.1.325
 /agents/main/tools string: fatal 2.1.325
 /systemPrompt null: taken 2.1.325
 /systemPrompt string: used 2.1.90 2.1.325; lost 2.0.77
`

func table(t *testing.T, text string) accepts.Table {
	t.Helper()
	got, err := accepts.Read(fstest.MapFS{"a/control_request.txt": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTableComesOutAsItWentIn(t *testing.T) {
	if diff := cmp.Diff(map[string]string{"control_request.txt": sample}, table(t, sample).Files()); diff != "" {
		t.Error(diff)
	}
}

func TestLookupPrefersTheExactMember(t *testing.T) {
	for _, test := range []struct {
		member string
		value  accepts.Value
		harm   string
	}{
		{"/systemPrompt", accepts.String, "CLI 2.0.77 loses the line"},
		{"/systemPrompt", accepts.Null, ""},
		{"/systemPrompt", accepts.Number, ""},
		{"/agents/other/tools", accepts.String, "CLI 2.1.325 refuses it"},
		{"/agents/main/tools", accepts.String, "CLI 2.1.325 ends or hangs"},
		{"/agents/main/tools/0", accepts.String, ""},
	} {
		f, _ := table(t, sample).Lookup("control_request/initialize", test.member, test.value)
		if got := f.Harm(); got != test.harm {
			t.Errorf("%s %s: %q, want %q", test.member, test.value, got, test.harm)
		}
	}
}

func TestBrokenRowsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no frame":         " /a null: taken 1.0.0\n",
		"no value":         "user\n /a: taken 1.0.0\n",
		"unknown value":    "user\n /a nothing: taken 1.0.0\n",
		"unknown effect":   "user\n /a null: good 1.0.0\n",
		"no version":       "user\n /a null: taken\n",
		"twice":            "user\n /a null: taken 1.0.0\n /a null: lost 1.0.0\n",
		"effect left open": "user\n /a null: taken 1.0.0;\n",
	} {
		if _, err := accepts.Read(fstest.MapFS{"user.txt": {Data: []byte(text)}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestBuiltInDataIsWellFormed holds that the data reads, is written as the tool writes it, and has
// one effect for each version.
func TestBuiltInDataIsWellFormed(t *testing.T) {
	got, err := accepts.Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 {
		t.Fatal("there is no data")
	}
	for key, finding := range got {
		seen := map[string]accepts.Effect{}
		for effect, versions := range finding {
			for _, v := range versions {
				if other, again := seen[v]; again {
					t.Errorf("%v: %s is both %s and %s", key, v, other, effect)
				}
				seen[v] = effect
			}
		}
	}
}
