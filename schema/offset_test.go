package schema

import (
	"testing"

	"github.com/ccwire/ccwire/internal/jsontext"
)

func TestOffsetsPointAtTheValues(t *testing.T) {
	const line = ` { "type":"call" ,"args":[ "a",{ "text":5 , "n\u0065w":[1,{}] }, true ], "a/b~":null,"count":1.5} `
	list, err := small(t).Lint("s/frame.json", []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, closed := range []*Validator{small(t).Open(), small(t).Closed()} {
		for _, v := range violations(t, closed.Validate("s/frame.json", []byte(line))) {
			list = append(list, v.Deviation)
		}
	}
	seen := map[string]bool{}
	for _, d := range list {
		seen[d.Path] = true
		if d.Path == "/id" { // it is missing: the object that should have it
			if d.Offset != 1 {
				t.Errorf("%s: offset %d, want 1", d, d.Offset)
			}
		} else if at := jsontext.PathAt([]byte(line), d.Offset); at != d.Path {
			t.Errorf("%s: offset %d is that of %s", d, d.Offset, at)
		}
	}
	for _, path := range []string{"/id", "/args/1/text", "/args/1/new", "/args/2", "/a~1b~0", "/count"} {
		if !seen[path] {
			t.Errorf("nothing at %s in %v", path, list)
		}
	}
}
