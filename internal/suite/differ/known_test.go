package differ

import "testing"

func TestEveryEntryOfTheListIsThereOnce(t *testing.T) {
	known, err := KnownDifferences()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range known.entries {
		if seen[e.Pattern] {
			t.Errorf("%s is there twice", e.Pattern)
		}
		seen[e.Pattern] = true
	}
}

func TestAnEntryWithoutAReasonIsRefused(t *testing.T) {
	for _, text := range []string{"result/success /x: *", "# only a comment\nresult/success /x: * #", "result/success /x: * # "} {
		if _, err := parseKnown(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestAPatternIsForTheWholeDifference(t *testing.T) {
	known, err := parseKnown("result/success /usage/*: real *; simulated absent # an example\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		d    Difference
		want bool
	}{
		{Difference{Kind: "result/success", Path: "/usage/a", Real: "1"}, true},
		{Difference{Kind: "result/success", Path: "/usage/a", Real: "1", Simulated: "2"}, false},
		{Difference{Kind: "a result/success", Path: "/usage/a", Real: "1"}, false},
	} {
		if got := known.Find(tt.d) != nil; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.d, got, tt.want)
		}
	}
}
