package view_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/manual/page"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
)

// recorded returns a recorded session as a file.
func recorded(t testing.TB, scenario string) []byte {
	t.Helper()
	entries, err := corpus.Read(corpus.Newest(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func rowsOf(t *testing.T, text []byte) (rows []view.Row) {
	t.Helper()
	err := view.Read(bytes.NewReader(text), linestream.Options{}, func(r view.Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRowsHaveKindsTurnsJoinsAndTheManual(t *testing.T) {
	var got []string
	rows := rowsOf(t, recorded(t, "permission/allow"))
	for _, r := range rows {
		text := fmt.Sprintf("%d %s %s", r.Turn, r.Lane, r.Kind)
		if r.Answers != nil {
			text += fmt.Sprintf(" answers %d", rows[*r.Answers].Number)
		}
		got = append(got, text)
	}
	want := []string{
		"0 session start", "0 SDK → CLI control_request/initialize", "0 CLI → SDK control_response/initialize answers 2",
		"1 SDK → CLI user", "1 CLI → SDK system/init", "1 CLI → SDK assistant", "1 CLI → SDK control_request/can_use_tool",
		"1 SDK → CLI control_response/can_use_tool answers 7", "1 CLI → SDK user", "1 CLI → SDK assistant", "1 CLI → SDK result/success",
		"1 model model", "0 session end of input", "0 session exit",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, r := range rows {
		if r.Lane > view.ToSDK {
			continue
		}
		if len(r.Names) == 0 {
			t.Errorf("%s has no name in the manual", r.Kind)
		}
		for _, name := range r.Names {
			if entry, err := page.Entry(name); entry == "" || err != nil {
				t.Errorf("the manual has nothing of %s: %v", name, err)
			}
		}
	}
}

func TestARowSaysThePoint(t *testing.T) {
	got := map[string]string{}
	for _, scenario := range []string{"permission/allow", "permission/deny", "hook/pre-tool-use-ask", "hook/pre-tool-use-deny"} {
		for _, r := range rowsOf(t, recorded(t, scenario)) {
			got[scenario+" "+r.Kind] = r.Summary
		}
	}
	for row, want := range map[string]string{
		"permission/allow system/init":                         "claude-opus-5-5 · default · [version]",
		"permission/allow control_request/can_use_tool":        "Write: /scratch/cwd/a.txt",
		"permission/allow control_response/can_use_tool":       "allow · /scratch/cwd/a.txt",
		"permission/deny control_response/can_use_tool":        "deny · not today",
		"permission/deny user":                                 "tool_result not today",
		"permission/deny result/success":                       "Fine.",
		"hook/pre-tool-use-deny control_request/hook_callback": "PreToolUse · Write: /scratch/cwd/a.txt",
	} {
		if got[row] != want {
			t.Errorf("%s says %q, want %q", row, got[row], want)
		}
	}
}

func TestRowsAreJoinedToTheUsesOfToolsTheyAreAbout(t *testing.T) {
	lines := []string{
		`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Agent","input":{"prompt":"look"}}]}}`,
		`{"type":"assistant","parent_tool_use_id":"toolu_1","message":{"content":[{"type":"tool_use","id":"toolu_2","name":"Bash","input":{"command":"ls"}}]}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"toolu_2","input":{"command":"ls"}}}`,
		`{"type":"user","parent_tool_use_id":"toolu_1","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"a.txt"}]}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}}`,
	}
	rows := rowsOf(t, []byte(strings.Join(lines, "\n")))
	var got []string
	for _, r := range rows {
		parent := "-"
		if r.Parent != nil {
			parent = fmt.Sprint(*r.Parent)
		}
		got = append(got, fmt.Sprint(parent, " ", r.Uses, " ", r.Summary))
	}
	want := []string{"- [] Agent: look", "0 [] Bash: ls", "- [1] Bash: ls", "0 [1] tool_result a.txt", "- [0] tool_result done"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestThePiecesOfAMessageAreJoinedToItsFirst(t *testing.T) {
	var got []string
	for i, r := range rowsOf(t, recorded(t, "stream/partial-messages")) {
		if strings.HasPrefix(r.Kind, "stream_event/") {
			at := "first"
			if r.Head != nil {
				at = fmt.Sprint(i-*r.Head, " after it")
			}
			got = append(got, strings.TrimPrefix(r.Kind, "stream_event/")+" "+at)
		}
	}
	if len(got) < 6 || got[0] != "message_start first" || !strings.HasPrefix(got[len(got)-1], "message_stop ") || got[len(got)-1] == "message_stop first" {
		t.Errorf("got %q", got)
	}
}

func TestATranscriptFileIsShownAsWhatItIs(t *testing.T) {
	file, err := os.ReadFile("../../conformance/transcripts/" + corpus.Newest() + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, file)
	kinds, turns := map[string]int{}, 0
	for _, r := range rows {
		kinds[r.Kind]++
		turns = max(turns, r.Turn)
		for _, f := range r.Findings {
			if f.Severity == "error" {
				t.Errorf("line %d, %s: %+v", r.Number, r.Kind, f)
			}
		}
		if len(r.Names) != 1 || !strings.HasPrefix(r.Names[0], "transcript/") {
			t.Fatalf("line %d, %s, is %q", r.Number, r.Kind, r.Names)
		}
	}
	if kinds["queue-operation"] == 0 || kinds["attachment/environment"] == 0 || turns < 2 {
		t.Errorf("%v, %d turns", kinds, turns)
	}
}

func TestAnAnswerIsJoinedToItsRequestPastARowForWhatIsNotShown(t *testing.T) {
	var b view.Builder
	subject := &exchange.Subject{Subtype: "interrupt", Place: 7}
	e := &recording.Entry{Dir: recording.ToCLI}
	rows := []view.Row{
		b.Missed(2),
		b.Add(7, e, []byte(`{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`), linecheck.Verdict{Asks: subject}),
		b.Missed(1),
		b.Add(9, e, []byte(`{"type":"control_response","response":{"subtype":"success","request_id":"1"}}`), linecheck.Verdict{Answers: subject}),
	}
	if at := rows[3].Answers; at == nil || *at != 1 {
		t.Errorf("the answer is joined to %v, want row 1", at)
	}
	if got := []string{rows[0].Summary, rows[2].Summary}; !strings.HasPrefix(got[0], "2 lines ") || !strings.HasPrefix(got[1], "1 line ") {
		t.Errorf("%q do not say how many are not shown", got)
	}
}

func TestEveryRecordedLineHasItsKind(t *testing.T) {
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	unnamed := map[string]bool{}
	for i, s := range all {
		if testing.Short() && i%50 > 0 {
			continue
		}
		var b bytes.Buffer
		if err := recording.Write(&b, s.Entries); err != nil {
			t.Fatal(err)
		}
		for _, r := range rowsOf(t, b.Bytes()) {
			if r.Kind == "" {
				t.Errorf("%s: line %d has no kind", s.Path, r.Number)
			}
			if r.Lane <= view.ToSDK && len(r.Names) == 0 && len(r.Findings) == 0 && r.Kind != "blank" && r.Kind != "cut" {
				unnamed[r.Kind] = true
			}
		}
	}
	if len(unnamed) > 0 {
		t.Errorf("these have no name in the manual, though nothing is odd about them: %v", unnamed)
	}
}

// hostile are lines that somebody has made to do harm, one of them long.
func hostile() []byte {
	long := 15 << 20
	if testing.Short() { // make test-all has the longest that is read
		long = 1 << 20
	}
	b := bytes.NewBuffer(evil())
	_ = json.NewEncoder(b).Encode(map[string]any{"dir": "cli->sdk", "line": `{"type":"user","x":"` + strings.Repeat("y", long) + `"}`})
	return b.Bytes()
}

func evil() []byte {
	evil := []string{"\x1b]0;owned\x07\x1b[2J\x1b[31m", "a\rb\x08\x00\x7f\u009b31m", "\u202eabc\u2066", "</script><script>x</script>", "<!-- {{.}} -->", "\xff\xfe\xed\xa0\x80"}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, x := range evil {
		line, _ := json.Marshal(map[string]any{"type": x, "subtype": x, "message": map[string]any{"content": x}, x: x, "request": map[string]any{"subtype": x}})
		for _, dir := range []string{"cli->sdk", "sdk->cli", "stderr", "api", "signal", "lost", x} {
			_ = e.Encode(map[string]any{"dir": dir, "line": string(line), "of": x, "signal": x, "t_ms": 1e300})
			_ = e.Encode(map[string]any{"dir": dir, "line": x, "t_ms": x})
		}
	}
	_ = e.Encode(map[string]any{"dir": "header", "args": evil, "scenario": evil[0], "version": evil[1]})
	b.WriteString(evil[0] + "\n" + evil[5] + "\n")
	return b.Bytes()
}

func TestATerminalGetsNothingToActUpon(t *testing.T) {
	var out bytes.Buffer
	text := view.NewText(&out, 100, terminal.Style{})
	if err := view.Read(bytes.NewReader(hostile()), linestream.Options{}, text.Add); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(line) {
			t.Errorf("%q", line)
		}
		if len([]rune(line)) > 200 {
			t.Errorf("a line has %d columns", len([]rune(line)))
		}
	}
}

func TestAPageHoldsAHostileRecordingAsData(t *testing.T) {
	var out bytes.Buffer
	p := view.NewPage(&out, "</title><script>x</script>", page.Entry)
	if err := view.Read(bytes.NewReader(hostile()), linestream.Options{}, p.Add); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if n := strings.Count(page, "<script>"); n != 1 {
		t.Errorf("the page has %d scripts, want its own", n)
	}
	for _, not := range []string{"<script>x", "<!-- {{", "\x1b"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if !strings.Contains(page, "connect-src &#39;none&#39;") {
		t.Error("the page may ask for something")
	}
}

func TestAPageHasTheEntriesOfWhatOccursInIt(t *testing.T) {
	var out bytes.Buffer
	p := view.NewPage(&out, "x", page.Entry)
	if err := view.Read(bytes.NewReader(recorded(t, "hook/pre-tool-use-allow")), linestream.Options{}, p.Add); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"control/hook_callback.json#/$defs/Request": true, "hook/PreToolUse.json#/$defs/Input": true, "hook/PreToolUse.json#/$defs/Output": true,
		"hook/Stop.json#/$defs/Input": false, "control/mcp_message.json#/$defs/Request": false,
	} {
		if has := strings.Contains(out.String(), `<template data-name="`+name+`"><h3>`); has != want {
			t.Errorf("%s is there: %v", name, has)
		}
	}
}

func TestASlowViewerNeverHoldsUpTheSession(t *testing.T) {
	hub := &view.Hub{Limit: 100_000}
	server, err := view.ServeLive("127.0.0.1:0", "x", hub, page.Entry)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	response, err := http.Get(server.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	const rows = 20_000
	row := view.Row{Kind: "k", Raw: strings.Repeat("x", 1000)}
	add := func(hub *view.Hub) time.Duration {
		begin := time.Now()
		for i := range rows {
			row.Number = i
			hub.Add(row)
		}
		hub.End()
		return time.Since(begin)
	}
	alone := add(&view.Hub{Limit: hub.Limit})
	if took := add(hub); took > alone+10*time.Second { // nobody reads
		t.Errorf("the session took %v, without a viewer %v", took, alone)
	}
	// What the viewer reads in the end says what it missed.
	got, missed := 0, 0
	in := bufio.NewReaderSize(response.Body, 1<<20)
	for event := ""; event != "end"; {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		name, data, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case name == "event":
			event = data
		case name == "data" && event == "gap":
			var n int
			fmt.Sscan(data, &n)
			missed += n
		case name == "data" && event == "rows":
			var list []view.Row
			if err := json.Unmarshal([]byte(data), &list); err != nil {
				t.Fatal(err)
			}
			got += len(list)
		}
	}
	if got+missed != rows || missed == 0 {
		t.Errorf("%d rows came and %d were missed of %d", got, missed, rows)
	}
}

func TestOnlyThoseWithTheAddressOnLoopbackSeeAPage(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0", "example.com:80", "192.0.2.1:0"} {
		if s, err := view.Serve(address, nil); err == nil {
			s.Close()
			t.Errorf("%s is served", address)
		}
	}
	s, err := view.Serve("127.0.0.1:0", []byte("<p>page"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	get := func(url, host string) (int, http.Header, string) {
		r, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, response.Header, string(body)
	}
	code, header, body := get(s.URL(), "")
	if code != 200 || body != "<p>page" || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %s %v", code, body, header)
	}
	root := s.URL()[:strings.LastIndexByte(strings.TrimSuffix(s.URL(), "/"), '/')+1]
	for _, url := range []string{root, root + "x/", s.URL() + "events"} {
		if code, _, body := get(url, ""); code != 404 || strings.Contains(body, "<p>") {
			t.Errorf("%s: %d %s", url, code, body)
		}
	}
	if code, _, _ := get(s.URL(), "evil.example"); code != http.StatusMisdirectedRequest {
		t.Errorf("a name that leads here gets %d", code)
	}
}

func TestPlainLinesAreShownToo(t *testing.T) {
	rows := rowsOf(t, []byte(`{"type":"keep_alive"}`+"\nnoise\n\n"))
	var kinds []string
	for _, r := range rows {
		kinds = append(kinds, r.Lane.String()+" "+r.Kind)
	}
	if want := []string{"line keep_alive", "line noise", "line blank"}; !slices.Equal(kinds, want) {
		t.Errorf("got %q", kinds)
	}
}
