package terminal

import (
	"strings"
	"testing"
	"time"
)

func TestStatusIsALineThatChangesOrLinesNowAndThen(t *testing.T) {
	for _, test := range []struct {
		name     string
		terminal bool
		want     string
	}{
		{"terminal", true, "\r\x1b[K2\r\x1b[K9\r\x1b[K12\r\x1b[K13\r\x1b[K25\r\x1b[K"},
		{"file", false, "12\n25\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			clock := time.Unix(0, 0)
			s := newStatus(&out, test.terminal, func() time.Time { return clock })
			for _, second := range []string{"0", "2", "9", "12", "13", "25"} {
				at, _ := time.ParseDuration(second + "s")
				clock = time.Unix(0, 0).Add(at)
				s.Show(second)
			}
			s.Clear()
			if got := out.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
