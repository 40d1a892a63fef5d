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
		{"terminal", true, "\r\x1b[K2\r\x1b[K9\r\x1b[K17\r\x1b[K18\r\x1b[K35\r\x1b[K"},
		{"file", false, "17\n35\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			clock := time.Unix(0, 0)
			s := newStatus(&out, test.terminal, func() time.Time { return clock })
			for _, second := range []string{"0", "2", "9", "17", "18", "35"} {
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
