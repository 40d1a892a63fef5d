package plain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/plain"
	"github.com/ccwire/ccwire/internal/terminal"
)

func TestEveryPageFitsTheWidth(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{60, 80, 200} {
		for _, a := range m.Areas {
			for _, topic := range a.Topics {
				var b strings.Builder
				(&plain.Printer{W: &b, Width: width}).Topic(topic)
				for l := range strings.Lines(b.String()) {
					if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > width {
						t.Errorf("%s at %d: a line has %d columns: %s", topic.ID(), width, n, l)
					}
				}
			}
		}
	}
}

func TestColourIsForTerminals(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	topic, _ := m.Topic("can_use_tool")
	for _, choice := range []string{"always", "never"} {
		style, err := terminal.NewStyle(choice, nil, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		(&plain.Printer{W: &b, Width: 80, Style: style}).Topic(topic)
		if got := strings.Contains(b.String(), "\x1b["); got != (choice == "always") {
			t.Errorf("%s: colours: %v", choice, got)
		}
	}
}
