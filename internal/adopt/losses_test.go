package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/adopt/after"
	"github.com/ccwire/ccwire/internal/adopt/before"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

var update = flag.Bool("update", false, "write testdata/losses.txt")

// A tally is what an SDK loses: by section, how often each thing, and out of how many.
type tally struct {
	sections []string
	lost     map[string]map[string]int
	of       map[string]int
	places   map[string]map[string]bool // of lost members, by what has them
}

func (y *tally) count(section string) {
	if y.lost == nil {
		y.lost, y.of = map[string]map[string]int{}, map[string]int{}
	}
	if y.lost[section] == nil {
		y.sections = append(y.sections, section)
		y.lost[section] = map[string]int{}
	}
	y.of[section]++
}

func (y *tally) lose(section, what string) { y.lost[section][what]++ }

// mark remembers a member that is lost, by the names that lead to it, two at most.
func (y *tally) mark(kind, place string) {
	if y.places == nil {
		y.places = map[string]map[string]bool{}
	}
	if y.places[kind] == nil {
		y.places[kind] = map[string]bool{}
	}
	steps := strings.SplitN(place, "/", 4)
	y.places[kind][strings.Join(steps[1:min(3, len(steps))], "/")] = true
}

func (y *tally) total(section string) (n int) {
	for _, k := range y.lost[section] {
		n += k
	}
	return n
}

// String lists the sections, and in each what is lost most first.
func (y *tally) String() string {
	var b strings.Builder
	for _, section := range y.sections {
		fmt.Fprintf(&b, "%s: %d of %d\n", section, y.total(section), y.of[section])
		lost := y.lost[section]
		for _, what := range slices.SortedFunc(maps.Keys(lost), func(a, b string) int {
			return 2*(lost[b]-lost[a]) + strings.Compare(a, b)
		}) {
			fmt.Fprintf(&b, "%7d  %s\n", lost[what], what)
			if section == members {
				fmt.Fprintf(&b, "         %s\n", strings.Join(slices.Sorted(maps.Keys(y.places[what])), " "))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The sections.
const (
	messages  = "recorded lines that are lost"
	members   = "members of recorded messages that a program does not see"
	requests  = "recorded requests of the CLI without a right answer"
	responses = "recorded answers that a call does not return"
	vectorsIn = "valid test vectors that do not come"
	brokenIn  = "invalid test vectors of which a program sees nothing"
	framesIn  = "streams of the test vectors of which a frame does not come"
)

// TestWhatBothLose runs both SDKs over all recordings and test vectors. What the first loses is in
// testdata/losses.txt; the twin must lose nothing.
func TestWhatBothLose(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all recordings twice; make test-all runs it")
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	all, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	tallies := map[string]*tally{}
	for _, s := range both {
		y := new(tally)
		tallies[s.name] = y
		probed := map[string]bool{}
		played := map[string]bool{}
		for _, session := range sessions {
			playSession(t, s, y, session)
			for i := range session.Lines {
				line := &session.Lines[i]
				if line.Dir != recording.ToSDK {
					continue
				}
				probe(s, y, line.Text, probed)
				if key := session.Version + line.Answers; line.Answers != "" && !played[key] {
					played[key] = true
					playAnswer(t, s, y, line)
				}
			}
		}
		for i := range all {
			playVector(t, s, y, &all[i])
		}
	}
	for _, section := range tallies[twin.name].sections {
		if n := tallies[twin.name].total(section); n > 0 {
			t.Errorf("the twin loses: %s: %v", section, tallies[twin.name].lost[section])
		}
	}
	const golden = "testdata/losses.txt"
	got := tallies[old.name].String()
	t.Logf("what the first loses:\n\n%s", got)
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the losses are others; -update writes them: %s", diff)
	}
}

// kindOf returns the type and the subtype of a line.
func kindOf(line []byte) (kind, subtype string) {
	var tags struct{ Type, Subtype string }
	if json.Unmarshal(line, &tags) != nil {
		return "", ""
	}
	return tags.Type, tags.Subtype
}

// playSession lets a client read all that the CLI wrote in a recorded session, and looks at the
// messages and the answers.
func playSession(t *testing.T, s sdk, y *tally, session *corpus.Session) {
	var stdout bytes.Buffer
	messageLines, asked, withdrawn := 0, map[string]string{}, map[string]bool{}
	h := host{mcp: map[string]mcpServer{}}
	for i := range session.Lines {
		line := &session.Lines[i]
		kind, _ := kindOf(line.Text)
		if line.Dir != recording.ToSDK || kind == "" {
			continue
		}
		stdout.Write(line.Text)
		stdout.WriteByte('\n')
		id, _ := wire.Raw(line.Text).Find("/request_id").Text()
		switch kind {
		case "control_request":
			asked[id] = line.Asks
			if server, ok := wire.Raw(line.Text).Find("/request/server_name").Text(); ok {
				h.mcp[server] = func(context.Context, string, map[string]any) (any, error) { return map[string]any{}, nil }
			}
		case "control_cancel_request":
			withdrawn[id] = true
			y.count(messages)
		case "control_response":
		default:
			messageLines++
			y.count(messages)
		}
	}
	came, written := 0, new(recorder)
	h.onError = func(err error) {
		var was *before.ParseError
		var is *after.ParseError
		switch {
		case errors.As(err, &was):
			y.lose(messages, was.Err.Error())
		case errors.As(err, &is):
			y.lose(messages, is.Err.Error())
		}
	}
	synctest.Test(t, func(*testing.T) {
		c := s.open(&stdout, written, h)
		c.each(func(any) { came++ })
		synctest.Wait()
	})
	if s.name == twin.name && came != messageLines {
		y.lose(messages, fmt.Sprintf("%s: %d of %d", session.Path, messageLines-came, messageLines))
	}
	answered := map[string]string{}
	for _, line := range written.lines() {
		id, why := judgeAnswer([]byte(line), asked)
		answered[id] += why
	}
	for id, subtype := range asked {
		if withdrawn[id] {
			continue
		}
		y.count(requests)
		why, ok := answered[id]
		switch {
		case !ok:
			y.lose(requests, subtype+": no answer")
		case why != "":
			y.lose(requests, subtype+": "+why)
		}
	}
}

// judgeAnswer returns what is wrong with an answer, "" if nothing is.
func judgeAnswer(line []byte, asked map[string]string) (id, why string) {
	frame, err := wire.DecodeFrame(line, &wire.Options{Strict: true})
	if err != nil {
		id, _ := wire.Raw(line).Find("/response/request_id").Text()
		return id, err.Error()
	}
	response, ok := frame.(*wire.ControlResponse)
	if !ok {
		return "", "not an answer"
	}
	id = response.RequestID()
	body, err := response.Body()
	if err != nil {
		return id, "" // a refusal is an answer
	}
	if _, err := wire.DecodeAnswer(asked[id], body, &wire.Options{Strict: true}); err != nil {
		return id, err.Error()
	}
	if reply := wire.Raw(body).Find("/mcp_response"); reply != nil && reply.String() != "{}" && !isReply(reply) {
		return id, "a JSON-RPC response to a notification"
	}
	return id, ""
}

// isReply reports whether a JSON-RPC response has the id of a request.
func isReply(reply wire.Raw) bool {
	id := reply.Find("/id")
	return id != nil && !id.IsNull()
}

// probe changes each member of a message, once for each place, and looks whether a program sees
// that.
func probe(s sdk, y *tally, line []byte, probed map[string]bool) {
	kind, subtype := kindOf(line)
	if kind == "" || strings.HasPrefix(kind, "control_") {
		return
	}
	if subtype != "" {
		kind += "/" + subtype
	}
	var value any
	if json.Unmarshal(line, &value) != nil {
		return
	}
	eachLeaf(value, "", func(place string, set func(any), leaf any) {
		key := kind + " " + place
		if probed[key] {
			return
		}
		was, _ := s.parse(line)
		if was == nil {
			return
		}
		probed[key] = true
		y.count(members)
		set(changed(leaf))
		text, err := json.Marshal(value)
		set(leaf)
		if err != nil {
			return
		}
		if is, _ := s.parse(text); reflect.DeepEqual(was, is) {
			y.lose(members, kind)
			y.mark(kind, place)
		}
	})
}

// eachLeaf calls f for every value in a value that has no members, but for tags and nulls.
func eachLeaf(v any, place string, f func(place string, set func(any), leaf any)) {
	visit := func(place string, child any, set func(any)) {
		switch child.(type) {
		case map[string]any, []any:
			eachLeaf(child, place, f)
		case nil:
		default:
			f(place, set, child)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "type" && name != "subtype" && name != "role" {
				visit(place+"/"+placeName(name), v[name], func(x any) { v[name] = x })
			}
		}
	case []any:
		for i, child := range v {
			visit(place+"/*", child, func(x any) { v[i] = x })
		}
	}
}

var madeUp = regexp.MustCompile(`[^a-zA-Z_]`)

// placeName is a member's name, or * for one that is data, such as the name of a model.
func placeName(name string) string {
	if madeUp.MatchString(name) {
		return "*"
	}
	return name
}

// changed returns another value of the same kind.
func changed(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case float64:
		return v + 1000
	case bool:
		return !v
	}
	return v
}

// playAnswer lets a client ask what a recorded answer answers.
func playAnswer(t *testing.T, s sdk, y *tally, line *recording.Line) {
	var frame map[string]any
	if err := json.Unmarshal(line.Text, &frame); err != nil {
		t.Fatal(err)
	}
	response, ok := frame["response"].(map[string]any)
	if !ok {
		return
	}
	y.count(responses)
	response["request_id"] = "req_1"
	text, err := json.Marshal(frame)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := response["response"].(map[string]any)
	session(t, s, host{}, func(t *testing.T, c client, cli io.Writer, _ *recorder) {
		ended := make(chan map[string]any, 1)
		go func() {
			body, err := c.Request(t.Context(), line.Answers, nil)
			if err != nil {
				body = map[string]any{"error": err.Error()}
			}
			ended <- body
		}()
		synctest.Wait()
		say(t, cli, string(text))
		if got := <-ended; !reflect.DeepEqual(got, want) {
			y.lose(responses, line.Answers)
		}
	})
}

// playVector reads a test vector that is a line from the CLI, or a stream.
func playVector(t *testing.T, s sdk, y *tally, v *vectors.Vector) {
	if v.Source == vectors.Framing {
		playStream(t, s, y, v)
		return
	}
	kind, _ := kindOf(v.Value)
	isLine := v.Definition == schema.FromCLI.Definition() || strings.HasPrefix(v.Definition, "message/") && !strings.Contains(v.Definition, "#")
	if v.Source == vectors.Recording || !isLine || kind == "" || strings.HasPrefix(kind, "control_") {
		return
	}
	msg, err := s.parse(v.Value)
	section := vectorsIn
	if !*v.Valid {
		section = brokenIn
	}
	y.count(section)
	if msg == nil {
		y.lose(section, errors.Unwrap(err).Error())
	}
}

// playStream lets a client read a stream: each frame must come, as a message or with an error.
func playStream(t *testing.T, s sdk, y *tally, v *vectors.Vector) {
	data, err := v.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var came []any
	see := func(text []byte) {
		var x any
		if json.Unmarshal(text, &x) == nil {
			came = append(came, x)
		}
	}
	ended := ""
	h := host{onError: func(err error) {
		var was *before.ParseError
		var is *after.ParseError
		switch {
		case errors.As(err, &was):
			see(was.Line)
		case !errors.As(err, &is):
			ended = err.Error()
		}
	}}
	synctest.Test(t, func(*testing.T) {
		c := s.open(bytes.NewReader(data), new(recorder), h)
		c.each(func(msg any) {
			if other, ok := msg.(*after.OtherMessage); ok {
				text, err := other.Frame.AppendJSON(nil)
				if err != nil {
					text = other.Frame.(*wire.UnknownFrame).Raw
				}
				see(text)
			}
		})
	})
	y.count(framesIn)
	if ended != "" {
		y.lose(framesIn, v.Title+": "+ended)
		return
	}
	for _, f := range v.Frames {
		var want any
		if f.Value == nil || json.Unmarshal(f.Value, &want) != nil {
			continue
		}
		i := slices.IndexFunc(came, func(x any) bool { return reflect.DeepEqual(x, want) })
		if i < 0 {
			y.lose(framesIn, v.Title)
			return
		}
		came = came[i+1:]
	}
}
