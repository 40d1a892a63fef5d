package run

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
)

func TestShapesMayHaveManyMembers(t *testing.T) {
	var s Shape
	text := "{"
	for i := range MaxMembers {
		name := "m" + strconv.Itoa(i)
		s.Keys = append(s.Keys, `"`+name+`":`)
		s.Need.add(i)
		text += s.Keys[i] + "0,"
	}
	text = text[:len(text)-1] + "}"
	strict := &Options{Strict: true}
	read := func(text string, options *Options) error {
		d := decoderOf(text, options)
		var extra *Members
		o := ReadObject(d, &s, &extra)
		for ok := o.Begin(false); o.Next(ok); {
			ok = d.Skip()
		}
		if o.End() != (d.Err() == nil) {
			t.Errorf("End and Err differ: %v", d.Err())
		}
		return d.Err()
	}
	if err := read(text, strict); err != nil {
		t.Error(err)
	}
	for i := range s.Keys {
		name := s.name(i)
		rest := strings.Replace(strings.Replace(text, s.Keys[i]+"0", "", 1), ",,", ",", 1)
		rest = strings.Replace(strings.Replace(rest, "{,", "{", 1), ",}", "}", 1)
		wantError(t, read(rest, strict), codec.Missing, "/"+name, 0)
		if err := read(rest, nil); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
		s.Core = Bits{}
		s.Core.add(i)
		wantError(t, read(rest, nil), codec.Missing, "/"+name, 0)
		at := len(text) + len(s.Keys[i])
		wantError(t, read(text[:len(text)-1]+","+s.Keys[i]+"0}", nil), codec.Duplicate, "/"+name, at)
	}
}

// keys returns the keys of members of the names.
func keys(names []string) []string {
	var keys []string
	for _, n := range names {
		keys = append(keys, `"`+n+`":`)
	}
	return keys
}

func TestAMemberIsFoundByItsNameAlone(t *testing.T) {
	name := rapid.StringMatching(`[a-c_]{0,3}`) // short, so that many share a place
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, MaxMembers, rapid.ID).Draw(t, "names")
		s := Shape{Keys: keys(names)}
		for i, n := range names {
			if got := s.member([]byte(n)); got != i {
				t.Fatalf("%q is member %d, want %d", n, got, i)
			}
		}
		other := name.Filter(func(n string) bool { return !slices.Contains(names, n) }).Draw(t, "other")
		if got := s.member([]byte(other)); got != -1 {
			t.Fatalf("%q is member %d", other, got)
		}
	})
}

func TestAShapeServesManyGoroutines(t *testing.T) {
	names := []string{"a", "b", "c"}
	s := Shape{Keys: keys(names)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, n := range names {
				if s.member([]byte(n)) != i {
					t.Errorf("%q is not found", n)
				}
			}
		})
	}
	wg.Wait()
}
