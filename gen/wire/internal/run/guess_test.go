package run

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
)

// guessed are names that differ early, late and after the words that a guess compares, or of which
// one begins with the other.
var guessed = []string{
	"", "a", "b", "type", "types", "user_id", "user_ids", "user_message_u", "user_message_uu",
	"user_message_uuid", "user_message_uuids", "cache_creation_input_tokens", "cache_creation_input_token", "é",
}

// guessedShape returns the shape of an object with those members.
func guessedShape() *Shape { return &Shape{Keys: keys(guessed)} }

// others are names that the shape does not have.
var others = []string{"ab", "typ", "user_message_uuidx", "user_message_uuix", "cache_creation_input_tokenz", "x"}

// A guessedObject is an object of those names, each with its place as the value.
type guessedObject struct {
	names []string
	text  []byte
}

func newGuessedObject(names []string) guessedObject {
	var b strings.Builder
	b.WriteByte('{')
	for i, n := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + n + `":` + strconv.Itoa(i))
	}
	b.WriteByte('}')
	return guessedObject{names, []byte(b.String())}
}

// check reads the object with a shape and compares what is read with what was written.
func (o guessedObject) check(t interface{ Errorf(string, ...any) }, s *Shape) {
	var d Decoder
	d.Reset(o.text, nil)
	got, want := map[string]int64{}, map[string]int64{}
	var extra *Members
	r := ReadObject(&d, s, &extra)
	for ok := r.Begin(false); r.Next(ok); {
		var n int64
		ok = d.Int64(&n)
		got[s.name(r.Member)] = n
	}
	ok := r.End() && d.Finish()
	var kept []string
	for i, n := range o.names {
		if slices.Contains(o.names[:i], n) {
			if e, _ := d.Err().(*Error); ok || e.Kind != codec.Duplicate {
				t.Errorf("%s: %v, want a duplicate member", o.text, d.Err())
			}
			return
		}
		if slices.Contains(guessed, n) {
			want[n] = int64(i)
		} else {
			kept = append(kept, n+"="+strconv.Itoa(i))
		}
	}
	var extras []string
	for _, m := range extra.List() {
		extras = append(extras, m.Name+"="+string(m.Value))
	}
	if diff := cmp.Diff([]any{want, kept}, []any{got, extras}); !ok || diff != "" {
		t.Errorf("%s: %v %s", o.text, d.Err(), diff)
	}
}

// TestWhatAShapeHasLearnedChangesNothing reads objects of one shape in turn: with members in any
// order, in the order of the object before, absent, unknown, duplicate.
func TestWhatAShapeHasLearnedChangesNothing(t *testing.T) {
	name := rapid.SampledFrom(slices.Concat(guessed, guessed, others))
	rapid.Check(t, func(t *rapid.T) {
		s := guessedShape()
		var before []string
		for range rapid.IntRange(1, 12).Draw(t, "objects") {
			names := slices.Clone(before)
			switch rapid.IntRange(0, 5).Draw(t, "how") {
			case 0: // as the one before
			case 1:
				slices.Reverse(names)
			case 2: // one is duplicate, most likely
				names = append(names, name.Draw(t, "more"))
			case 3:
				names = rapid.SliceOfN(name, 0, 6).Draw(t, "any")
			default:
				names = rapid.SliceOfDistinct(name, rapid.ID).Draw(t, "distinct")
			}
			newGuessedObject(names).check(t, s)
			before = names
		}
	})
}

// TestGoroutinesMayLearnDifferentOrders has many read objects of one shape at a time, each in an
// order of its own and at times in another's.
func TestGoroutinesMayLearnDifferentOrders(t *testing.T) {
	s := guessedShape()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			names := slices.Concat(guessed, others)
			for range 100 {
				if random.IntN(8) == 0 {
					random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				}
				newGuessedObject(names[:len(names)-random.IntN(4)]).check(t, s)
			}
			newGuessedObject(append(names, names[0])).check(t, s)
		})
	}
	wg.Wait()
}
