package scrub_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/scrub"
	"github.com/ccwire/ccwire/schema"
)

// sessions are what the newest version of the CLI and its SDKs wrote.
func sessions(t testing.TB) (all []*corpus.Session) {
	t.Helper()
	list, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Entries[0].Version == corpus.Newest() {
			all = append(all, s)
		}
	}
	if len(all) < 400 {
		t.Fatalf("there are %d sessions only", len(all))
	}
	return all
}

// plant puts a secret into every string of a JSON text: values, and names that the schemas do not
// require to be what they are.
func plant(v any, secret func() string) any {
	switch v := v.(type) {
	case string:
		return secret()
	case []any:
		for i := range v {
			v[i] = plant(v[i], secret)
		}
	case map[string]any:
		for name := range v {
			v[name] = plant(v[name], secret)
		}
		v[secret()] = secret()
	}
	return v
}

// secretForms are what is private, around a mark that is to be looked for.
var secretForms = []string{
	"%s", "sk-ant-api03-%s-AA", "ghp_%s", "%s@mail.example", "/home/%s/project/main.go", `C:\Users\%s\x.txt`, "src/%s/a.ts", "https://%s.example/?q=1",
	"toolu_%s", "please delete %s\nand all of it", "{\"token\":\"%s\"}", "2024-01-01T00:00:00Z %s", "~/.ssh/%s", "file:///%s", "%s-1.2.3", "mcp__%s__tool",
	"\u001b[31m%s", "Bearer %s", "git@%s:me/it.git", "msg_%s.txt", "é %s",
}

func TestNoSecretSurvivesAnywhereInARecordedLine(t *testing.T) {
	all := sessions(t)
	if testing.Short() {
		all = all[:60]
	}
	planted, drawn := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		// Each run of the property takes a part of the sessions with secrets of its own.
		seed := rapid.StringMatching(`[a-zA-Z0-9]{8}`).Draw(t, "seed")
		drawn++
		for i := drawn % 20; i < len(all); i += 20 {
			s := scrub.New()
			lines, err := recording.Lines(all[i].Entries)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				d := json.NewDecoder(bytes.NewReader(l.Text))
				d.UseNumber()
				var v any
				if d.Decode(&v) != nil {
					continue
				}
				n := 0
				v = plant(v, func() string {
					n++
					planted++
					return fmt.Sprintf(secretForms[n%len(secretForms)], fmt.Sprintf("5%s%dZ", seed, n))
				})
				line, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				if out := s.Line(line); bytes.Contains(out, []byte(seed)) {
					t.Fatalf("%s survives in\n%s", seed, out)
				}
			}
		}
	})
	t.Logf("%d secrets", planted)
}

// verdicts returns what is to be said of the lines of a recording, without what depends on texts,
// and which line answers which.
func verdicts(t *testing.T, file []byte) (all []string) {
	t.Helper()
	for _, lint := range []bool{false, true} {
		r := linestream.NewReader(bytes.NewReader(file), linestream.Options{})
		session := linecheck.New(lint).Session()
		for {
			l, err := r.Next()
			if err != nil {
				break
			}
			if l.Begins {
				session = linecheck.New(lint).Session()
			}
			for _, p := range l.Parts {
				v := session.Line(p.Direction, p.Line, l.Number)
				var kinds []string
				for _, f := range v.Findings {
					kinds = append(kinds, fmt.Sprint(f.Severity, " ", f.Kind))
				}
				slices.Sort(kinds)
				if v.Answers != nil {
					subtype := v.Answers.Subtype
					if schema.Default().Request(subtype) == nil && schema.Default().Lookup("envelope/"+subtype+".json") == nil {
						subtype = "what is unknown"
					}
					kinds = append(kinds, fmt.Sprint("answers ", v.Answers.Place, " ", subtype))
				}
				all = append(all, fmt.Sprint(p.Kind, " ", kinds))
			}
		}
	}
	return all
}

func TestAScrubbedRecordingValidatesAndJoinsAsBefore(t *testing.T) {
	all := sessions(t)
	if testing.Short() {
		all = all[:60]
	}
	for i, session := range all {
		var in, out bytes.Buffer
		if err := recording.Write(&in, session.Entries); err != nil {
			t.Fatal(err)
		}
		s := scrub.New()
		s.KeepNames = i%2 == 1
		err := scrub.File(&out, bytes.NewReader(in.Bytes()), s, 0, func(n int) { t.Errorf("line %d is left out", n) })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(verdicts(t, in.Bytes()), verdicts(t, out.Bytes())); diff != "" {
			t.Errorf("%s: %s", session.Entries[0].Scenario, diff)
		}
		if _, err := recording.Read(&out); err != nil {
			t.Errorf("%s: %v", session.Entries[0].Scenario, err)
		}
	}
}

func TestWhatIsOddStaysOdd(t *testing.T) {
	for _, line := range []string{
		`{"type":"keep_alive","brand_new":true}`,
		`{"type":"never_seen","uuid":"u"}`,
		`{"type":"user","message":{"role":"user","content":7}}`,
		`{"type":"keep_alive"`, `{"type":"keep_alive"}}`, "{\"type\":\"\xff\"}",
		`{"type":"keep_alive","type":"keep_alive"}`, "\ufeff" + `{"type":"keep_alive"}`, `{"type":"keep_alive"}` + "\r",
		"plain noise", "", "  ", `[1]`, `"text"`, strings.Repeat(`{"a":`, 1200) + "1" + strings.Repeat("}", 1200),
	} {
		out := scrub.New().Line([]byte(line))
		if diff := cmp.Diff(verdicts(t, []byte(line+"\n")), verdicts(t, append(bytes.Clone(out), '\n'))); diff != "" {
			t.Errorf("%.60q became %q: %s", line, out, diff)
		}
	}
}

func TestAStandInIsOfTheKindOfWhatItReplaces(t *testing.T) {
	s := scrub.New()
	for _, c := range []struct{ in, want string }{
		{`{"session_id":"4f1c2d3e-0000-4000-8000-0123456789ab"}`, `{"session_id":"00000000-0000-4000-8000-000000000001"}`},
		{`{"uuid":"4f1c2d3e-0000-4000-8000-0123456789ab"}`, `{"uuid":"00000000-0000-4000-8000-000000000001"}`},
		{`{"tool_use_id":"toolu_01ABC"}`, `{"tool_use_id":"toolu_000000000000000000000002"}`},
		{`{"cwd":"/home/jane/work"}`, `{"cwd":"/name-1/name-2/name-3"}`},
		{`{"file_path":"/home/jane/a.go"}`, `{"file_path":"/name-1/name-2/name-4.go"}`},
		{`{"timestamp":"2025-06-07T08:09:10.123Z"}`, `{"timestamp":"2000-01-01T00:00:01.000Z"}`},
		{`{"claude_code_version":"2.1.325"}`, `{"claude_code_version":"2.1.325"}`},
		{`{"text":"2.1.325"}`, `{"text":"name-5"}`},
		{`{"text":"hello"}`, `{"text":"name-6"}`},
		{`{"message":"hello","hello":true}`, `{"message":"name-6","name-6":true}`},
		{`{"text":"hello there"}`, `{"text":"text-1"}`},
		{`{"email":"jane@doe.example"}`, `{"email":"person-1@example.com"}`},
		{`{"url":"https://intra.example/x"}`, `{"url":"https://host-1.invalid/"}`},
		{`{"permissionMode":"acceptEdits"}`, `{"permissionMode":"acceptEdits"}`},
		{`{"text":"acceptEdits"}`, `{"text":"name-7"}`},
		{`{"name":"Bash"}`, `{"name":"Bash"}`},
		{`{"type":"keep_alive","janes_key":1,"sk-ant-9":3}`, `{"type":"keep_alive","name-8":1,"name-9":3}`},
		{`{"type":"jane_said","subtype":"it"}`, `{"type":"name-10","subtype":"name-11"}`},
		{`{"duration_ms":1234,"code_of_mine":4711,"again":[4711,-4711,47.11],"few":3}`, `{"duration_ms":1234,"name-12":1001,"name-13":[1001,1002,1003.5],"name-14":3}`},
		{`{"of_mine":{"duration_ms":1234},"params":{"timeout":5678}}`, `{"name-15":{"duration_ms":1004},"params":{"timeout":1005}}`},
		{`{"modelUsage":{"of-mine":{"inputTokens":1234}}}`, `{"modelUsage":{"name-16":{"inputTokens":1234}}}`},
		{`{"tools":["mcp__a_server__look_up"],"serverName":"a_server"}`, `{"tools":["mcp__name-17__name-18"],"serverName":"name-17"}`},
		{`{"jsonrpc":"2.0","method":"tools/call","id":1}`, `{"jsonrpc":"2.0","method":"tools/call","id":1}`},
		{`{"jsonrpc":"2.1","method":"of/mine","id":1}`, `{"jsonrpc":"name-19","method":"name-20/name-21","id":1}`},
	} {
		if diff := cmp.Diff(c.want, string(s.Line([]byte(c.in)))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestNamesAreKeptOnRequestUnlessTheyAreOfSomebody(t *testing.T) {
	s := scrub.New("jane")
	s.KeepNames = true
	in := `{"type":"never_seen","a_new_member":1,"janes_key":1,"sk-ant-9":3}`
	if got, want := string(s.Line([]byte(in))), `{"type":"never_seen","a_new_member":1,"name-1":1,"name-2":3}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestArgumentsKeepTheirFlags(t *testing.T) {
	args := strings.Fields(`-p secret --output-format stream-json --permission-mode plan --model=opus-secret --max-turns 3 --mcp-config {"mcpServers":{"s3cret":{}}}`)
	want := strings.Fields(`-p name-1 --output-format stream-json --permission-mode plan --model=name-2 --max-turns 3 --mcp-config {"mcpServers":{"name-3":{}}}`)
	if diff := cmp.Diff(want, scrub.New().Args(args)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryPlaceOfARecordingIsScrubbed(t *testing.T) {
	const secret = "S3CR3T"
	text := strings.Join([]string{
		`{"dir":"header","scenario":"S3CR3T x","version":"S3CR3T","args":["--system-prompt","S3CR3T"],"failed":"S3CR3T","started":"S3CR3T","more":"S3CR3T"}`,
		`{"dir":"sdk->cli","line":"{\"type\":\"user\",\"S3CR3T\":\"S3CR3T\"}\nS3CR3T"}`,
		`{"dir":"cli->sdk","line":"S3CR3T","line_b64":"UzNDUjNU/w=="}`,
		`{"dir":"cli->sdk","line":"{\"a\":\"S3CR3T","truncated_from_chars":99999}`,
		`{"dir":"cli->sdk","line":"S3CR3T","line_b64":"S3CR3T not base64"}`,
		`{"dir":"api","number":1,"line":"{\"messages\":\"S3CR3T\"}"}`,
		`{"dir":"stderr","line":"S3CR3T"}`, `{"dir":"signal","line":"S3CR3T s"}`, `{"dir":"S3CR3T","line":"S3CR3T","of":"S3CR3T"}`,
		`{"dir":"finding","entry":2,"path":"/S3CR3T","detail":"S3CR3T"}`, `{"dir":"cli->sdk","line":{"S3CR3T":1}}`, `S3CR3T`, `{"S3CR3T":1}`,
		`{"dir":"exit","code":0,"stderr":"S3CR3T","signal":"S3CR3T s"}`, "",
	}, "\n")
	var out bytes.Buffer
	if err := scrub.File(&out, strings.NewReader(text), scrub.New(), 0, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), secret) || strings.Contains(out.String(), "UzNDUjNU") {
		t.Errorf("it survives in\n%s", out.String())
	}
	if n := strings.Count(out.String(), "\n"); n != strings.Count(text, "\n")-1 {
		t.Errorf("%d entries are left of\n%s", n, out.String())
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}`))
	f.Add([]byte(`{"a":{"b":["c",{"d":1e9}]},"a":null}`))
	f.Add([]byte("\ufeff{ broken\r"))
	f.Add([]byte("{\"\\ud800\":\"\\udfff\xff\"}"))
	const mark = "S3cr3t7x9q"
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), nil)
		// Every string ends in the mark: a quote that ends one is one that follows something else.
		marked := bytes.ReplaceAll(line, []byte(`"`), []byte(mark+`"`))
		for _, in := range [][]byte{line, marked} {
			out := scrub.New().Line(in)
			if bytes.Contains(out, []byte(mark)) {
				t.Fatalf("the mark survives in %q of %q", out, in)
			}
			if bytes.Contains(out, []byte("\n")) {
				t.Fatalf("several lines: %q", out)
			}
			if jsontext.Check(in, 1000) == nil && in[0] == '{' && jsontext.Check(out, 1000) != nil {
				t.Fatalf("%q is not JSON, and %q is", out, in)
			}
		}
	})
}
