package place_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/place"
)

type turn struct {
	Text  string           `json:"text"`
	Match *match           `json:"match"`
	Other map[string]match `json:"other"`
}

type match struct {
	Told string `json:"told"`
}

type base struct {
	Turns []turn `json:"turns"`
}

type whole struct {
	base
	Strict bool `json:"strict"`
}

func TestAnUnknownMemberIsNamedWithItsPlaceAndWhatLooksLikeIt(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"at the top", "{\n\"stict\": true}", `s:2:1: unknown member "stict"; did you mean strict?`},
		{"of an embedded struct", `{"turn": []}`, `s:1:2: unknown member "turn"; did you mean turns?`},
		{"in a list", "{\"turns\": [{\"text\": \"matches\"},\n{\"matches\": {}}]}", `s:2:2: unknown member "matches"; did you mean match?`},
		{"in an object", "{\"turns\": [{\"match\":\n {\"tolt\": 1}}]}", `s:2:3: unknown member "tolt"; did you mean told?`},
		{"in a map", `{"turns": [{"other": {"x": {"a": 1}}}]}`, `s:1:29: unknown member "a"; there are told`},
		{"like none", `{"zzzzzz": 1}`, `s:1:2: unknown member "zzzzzz"; there are turns, strict`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v whole
			if err := place.Decode("s", []byte(tt.text), &v); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
