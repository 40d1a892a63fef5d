package elide_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/manual/elide"
)

func TestWhatIsLongIsCut(t *testing.T) {
	text := strings.Repeat("ä", 200)
	for _, row := range []struct {
		name, text, want string
		cut              bool
	}{
		{"short", `{"b":1,"a":[1,2,3],"n":1.0}`, `{"b":1,"a":[1,2,3],"n":1.0}`, false},
		{"a list", `{"a":[1,2,3,{"x":1},5]}`, `{"a":[1,2,3,"… 2 more"]}`, true},
		{"a text at the limit", `"` + text + `"`, `"` + text + `"`, false},
		{"a text inside", `{"a":["` + text + `b"]}`, `{"a":["` + text + `…"]}`, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, cut, err := elide.JSON([]byte(row.text))
			if string(got) != row.want || cut != row.cut || err != nil {
				t.Errorf("got %s, %v, %v", got, cut, err)
			}
		})
	}
	if _, _, err := elide.JSON([]byte("{")); err == nil {
		t.Error("half an object is shortened")
	}
}
