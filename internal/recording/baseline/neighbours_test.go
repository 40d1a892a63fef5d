package baseline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
)

func TestChangesAreWhatNoNeighbourHas(t *testing.T) {
	const result = `{"type":"result","subtype":"success","n":1,"word":"a"}`
	line := func(n, word string) string {
		return `{"type":"result","subtype":"success","n":` + n + `,"word":"` + word + `"}`
	}
	for _, tt := range []struct {
		name         string
		older, newer []string // newer is nil if there is none
		is           []string
		want         []string
		agreed       int
	}{
		{"as with the one", []string{result}, nil, []string{result}, nil, 0},
		{"not as with the one", []string{result}, nil, []string{line("1", "b")}, []string{`breaks result/success/word "a" "b"`}, 0},
		{"as with both", []string{result}, []string{result}, []string{result}, nil, 0},
		{"as with the older", []string{result}, []string{line("1", "b")}, []string{result}, nil, 0},
		{"as with the newer", []string{result}, []string{line("1", "b")}, []string{line("1", "b")}, nil, 0},
		{"each member as with one", []string{line("1", "a")}, []string{line("2", "b")}, []string{line("1", "b")}, nil, 0},
		{"as with neither", []string{line("1", "a")}, []string{line("1", "b")}, []string{line("1", "c")}, []string{`breaks result/success/word "a" "c"`}, 0},
		{"not as both agree", []string{result}, []string{result}, []string{line("1", "c")}, []string{`breaks result/success/word "a" "c"`}, 1},
		{"a member that both have is gone", []string{result}, []string{result}, []string{`{"type":"result","subtype":"success","n":1}`},
			[]string{`breaks result/success/word "a" `}, 1},
		{"a line that both have is gone", []string{result, result}, []string{result, result}, []string{result}, []string{`breaks result/success ` + result + ` `}, 1},
		{"a line that one has is gone", []string{result, result}, []string{result}, []string{result}, nil, 0},
		{"in something that only the newer has", []string{`{"type":"x"}`}, []string{`{"type":"x","o":{"a":1,"b":2,"c":3}}`}, []string{`{"type":"x","o":{"a":1,"b":5,"c":6}}`},
			[]string{"breaks x/o/b 2 5", "breaks x/o/c 3 6"}, 0},
		{"most of what came with the newer, but one", []string{`{"type":"x"}`}, []string{`{"type":"x","a":1,"b":2,"c":3,"d":4,"e":5}`}, []string{`{"type":"x","a":1,"b":2,"c":3,"d":4}`},
			[]string{"cosmetic x/e 5 "}, 0},
		{"less than most of what came with the newer", []string{`{"type":"x"}`}, []string{`{"type":"x","a":1,"b":2,"c":3,"d":4,"e":5}`}, []string{`{"type":"x","a":1,"b":2,"c":3}`}, nil, 0},
		{"a line that neither has", []string{result}, []string{result}, []string{result, result}, []string{`new result/success  ` + result}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			near := []Neighbour{{Version: "1.0.0", Entries: entries(tt.older)}}
			if tt.newer != nil {
				near = append(near, Neighbour{Version: "1.0.2", Newer: true, Entries: entries(tt.newer)})
			}
			changes, agreed := Changes(entries(tt.is), near)
			var got []string
			for _, c := range changes {
				got = append(got, string(c.Weight)+" "+c.Frame+c.Path+" "+c.Was+" "+c.Is)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if len(agreed) != tt.agreed {
				t.Errorf("%d break what both agree on: %v, want %d", len(agreed), agreed, tt.agreed)
			}
		})
	}
}

func TestListsOfNeighboursAreComparedByName(t *testing.T) {
	was := []string{`{"type":"x","names":["Bash","Read"],"models":[{"value":"a","fast":true},{"value":"b"}]}`}
	is := []string{`{"type":"x","names":["Read","Write"],"models":[{"value":"b"},{"value":"c"},{"value":"a","fast":false}]}`}
	changes, _ := Changes(entries(is), []Neighbour{{Version: "1.0.0", Entries: entries(was)}})
	want := []suite.Change{
		{Weight: suite.Breaks, From: "1.0.0", Frame: "x", Path: "/models/0/fast", Was: "true", Is: "false"},
		{Weight: suite.Cosmetic, From: "1.0.0", Frame: "x", Path: "/models/1", Is: `{"value":"c"}`}, // of a recording's list some elements are kept
		{Weight: suite.Breaks, From: "1.0.0", Frame: "x", Path: "/names/0", Was: `"Bash"`},
		{Weight: suite.New, From: "1.0.0", Frame: "x", Path: "/names/1", Is: `"Write"`},
	}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheModelThatAVersionTakesIsNotAChange(t *testing.T) {
	was := []string{`{"type":"result","subtype":"success","modelUsage":{"claude-opus-4-8[1m]":{"n":1}}}`}
	is := []string{`{"type":"result","subtype":"success","modelUsage":{"claude-opus-5-5":{"n":1}}}`}
	if changes, _ := Changes(entries(is), []Neighbour{{Version: "1.0.0", Entries: entries(was)}}); changes != nil {
		t.Errorf("got %v", changes)
	}
}

func TestAChangeHasAWeight(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Difference
		want suite.Weight
	}{
		{"a member is gone", Difference{Kind: "result/success", Path: "/a", Was: "1"}, suite.Breaks},
		{"a member is new", Difference{Kind: "result/success", Path: "/a", Is: "1"}, suite.New},
		{"a member has another kind", Difference{Kind: "result/success", Path: "/a", Was: "1", Is: `"1"`}, suite.Breaks},
		{"a word is another", Difference{Kind: "result/success", Path: "/a", Was: `"x"`, Is: `"y"`}, suite.Breaks},
		{"a flag is another", Difference{Kind: "result/success", Path: "/a", Was: "true", Is: "false"}, suite.Breaks},
		{"a text for people", Difference{Kind: "result/success", Path: "/a", Was: `"it is so"`, Is: `"so it is"`}, suite.Cosmetic},
		{"a number", Difference{Kind: "result/success", Path: "/num_turns", Was: "1", Is: "-1"}, suite.Breaks},
		{"a number of tokens", Difference{Kind: "result/success", Path: "/tokens", Was: "10", Is: "9"}, suite.Cosmetic},
		{"the order of members", Difference{Kind: "result/success", Path: "/", Was: "{}", Is: "{}"}, suite.Cosmetic},
		{"a line is gone", Difference{Kind: "result/success", Was: "{}"}, suite.Breaks},
		{"a line that tells the state is gone", Difference{Kind: "system/status", Was: "{}"}, suite.Cosmetic},
		{"init is gone", Difference{Kind: "system/init", Was: "{}"}, suite.Breaks},
		{"a line is new", Difference{Kind: "system/status", Is: "{}"}, suite.New},
		{"an entry of the transcript", Difference{Kind: recording.MirrorType + "/user", Path: "/entry/a", Was: "1"}, suite.Cosmetic},
	} {
		if got := weigh(&tt.d); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWhatOnlyANewerVersionHasIsNotGone(t *testing.T) {
	newer := Neighbour{Version: "1.0.2", Newer: true, Entries: entries([]string{`{"type":"x","a":1,"b":2}`, `{"type":"y"}`})}
	changes, _ := Changes(entries([]string{`{"type":"x","a":2}`}), []Neighbour{newer})
	want := []suite.Change{{Weight: suite.Breaks, From: "1.0.2", Frame: "x", Path: "/a", Was: "1", Is: "2"}}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
