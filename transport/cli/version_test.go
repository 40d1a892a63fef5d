package cli

import (
	"errors"
	"testing"
)

func TestParseVersion(t *testing.T) {
	tests := []struct {
		name, text string
		want       Version // zero: none
	}{
		{"as printed", "2.1.325 (Claude Code)\n", Version{2, 1, 325}},
		{"CRLF", "2.1.325 (Claude Code)\r\n", Version{2, 1, 325}},
		{"alone", "1.0.59", Version{1, 0, 59}},
		{"with a v", "v1.0.59\n", Version{1, 0, 59}},
		{"pre-release", "2.2.0-beta.1 (Claude Code)\n", Version{2, 2, 0}},
		{"after a warning", "(node:1) Warning: x 18.0.0\n2.1.1 (Claude Code)\n", Version{2, 1, 1}},
		{"empty", "", Version{}},
		{"words", "Claude Code\n", Version{}},
		{"two parts", "2.1 (Claude Code)\n", Version{}},
		{"four parts", "10.0.0.1 (host)\n", Version{}},
		{"a sentence", "18.0.0 is too old for this program\n", Version{}},
		{"negative", "2.-1.0\n", Version{}},
		{"too large", "2.1.99999999999\n", Version{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseVersion(test.text)
			if got != test.want {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
			if test.want.IsZero() != errors.Is(err, ErrNoVersion) {
				t.Errorf("error = %v", err)
			}
		})
	}
}

func TestVersionOrder(t *testing.T) {
	ordered := []Version{{}, {0, 9, 99}, {1, 0, 9}, {1, 0, 59}, {1, 0, 128}, {1, 1, 0}, {2, 0, 0}, {2, 1, 40}}
	for i, v := range ordered {
		for j, w := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%v.Compare(%v) = %d", v, w, got)
			}
			if v.AtLeast(w) != (want >= 0) {
				t.Errorf("%v.AtLeast(%v) = %v", v, w, want < 0)
			}
		}
	}
}
