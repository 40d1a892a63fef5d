package bisect_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/history/bisect"
)

// find searches releases 0, 1, 2, ... whose verdicts are the letters; x cannot be judged.
func find(ctx context.Context, letters string) (*bisect.Change, []string, error) {
	var releases, asked []string
	for i := range letters {
		releases = append(releases, fmt.Sprint(i))
	}
	s := bisect.Search[byte]{
		Judge: func(_ context.Context, release string) (byte, error) {
			var i int
			fmt.Sscan(release, &i)
			if letters[i] == 'x' {
				return 0, errors.New("does not install")
			}
			return letters[i], nil
		},
		Same: func(a, b byte) bool { return a == b },
		Step: func(release string, _ byte, same bool, err error) {
			asked = append(asked, fmt.Sprintf("%s:%t:%t", release, same, err == nil))
		},
	}
	c, err := s.Find(ctx, releases)
	return c, asked, err
}

func TestTheReleaseThatChangedIsFound(t *testing.T) {
	for _, row := range []struct {
		name, letters string
		want          *bisect.Change
	}{
		{"two", "ab", &bisect.Change{Before: "0", After: "1", Skipped: []string{}}},
		{"at the end", "aaaaaaab", &bisect.Change{Before: "6", After: "7", Skipped: []string{}}},
		{"at the beginning", "abbbbbbb", &bisect.Change{Before: "0", After: "1", Skipped: []string{}}},
		{"nothing changed", "aaaa", nil},
		{"what changed back is not seen", "abba", nil},
		{"one cannot be judged", "aaxbb", &bisect.Change{Before: "1", After: "3", Skipped: []string{"2"}}},
		{"none between can be judged", "axxxb", &bisect.Change{Before: "0", After: "4", Skipped: []string{"1", "2", "3"}}},
		{"two changes", "aabbbcc", &bisect.Change{Before: "1", After: "2", Skipped: []string{}, More: true}},
		{"to and fro", "aabaabb", &bisect.Change{Before: "4", After: "5", Skipped: []string{}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, _, err := find(t.Context(), row.letters)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFewReleasesAreAsked(t *testing.T) {
	_, asked, err := find(t.Context(), strings.Repeat("a", 300)+strings.Repeat("b", 140))
	if err != nil || len(asked) > 2+9 {
		t.Errorf("%d asked of 440: %v, %v", len(asked), asked, err)
	}
	_, asked, _ = find(t.Context(), "aaxbb")
	if diff := cmp.Diff([]string{"0:true:true", "4:false:true", "2:false:false", "1:true:true", "3:false:true"}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestAnEndThatCannotBeJudgedIsAnError(t *testing.T) {
	for _, letters := range []string{"xab", "abx", "a"} {
		if c, _, err := find(t.Context(), letters); err == nil {
			t.Errorf("%s: %v", letters, c)
		}
	}
}

func TestASearchThatIsStoppedSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := find(ctx, "aabb"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
