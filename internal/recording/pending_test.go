package recording

import "testing"

func TestAReplyAnswersTheOldestRequestThatItFits(t *testing.T) {
	is := func(name string) func(string) bool { return func(s string) bool { return s == name } }
	for _, tt := range []struct {
		name string
		open []string
		fits func(string) bool
		want int
	}{
		{"none is open", nil, is("a"), -1},
		{"one that it fits", []string{"a", "b", "c"}, is("b"), 1},
		{"two that it fits", []string{"a", "b", "b"}, is("b"), 1},
		{"none that it fits", []string{"a", "b"}, is("c"), 0},
		{"nothing is known", []string{"a", "b"}, nil, 0},
		{"the only one", []string{"a"}, is("b"), 0},
		{"too many to compare", []string{"a", "a", "a", "a", "a", "a", "a", "a", "b"}, is("b"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Pick(tt.open, tt.fits); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
