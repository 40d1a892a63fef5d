package fault

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const (
	ask      = `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write"}}` + "\n"
	hook     = `{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback","input":{"hook_event_name":"Stop"}}}` + "\n"
	answer   = `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{}}}` + "\n"
	start    = `{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}` + "\n"
	started  = `{"type":"control_response","response":{"subtype":"success","request_id":"i","response":{}}}` + "\n"
	message  = `{"type":"assistant","message":{"content":[{"type":"text","text":"Hi."}]}}` + "\n"
	done     = `{"type":"result","subtype":"success"}` + "\n"
	cancelR1 = `{"type":"control_cancel_request","request_id":"r1"}` + "\n"
)

// process notes what faults do to it.
type process struct {
	out, stderr bytes.Buffer
	writes      []string
	did         []string
}

func (p *process) Write(b []byte) (int, error) {
	p.writes = append(p.writes, string(b))
	return p.out.Write(b)
}

func inject(t *testing.T, faults ...string) (*Injector, *process) {
	t.Helper()
	var parsed []Fault
	for _, text := range faults {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	p := &process{}
	return New(parsed, p, Process{
		Stderr:      &p.stderr,
		CloseStdout: func() error { p.did = append(p.did, "close"); return nil },
		Exit:        func(code int) { p.did = append(p.did, "exit "+string(rune('0'+code))) },
		Kill:        func(signal string) { p.did = append(p.did, "kill "+signal) },
	}), p
}

func TestFaultsChangeWhatIsWritten(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []string
		write  []string
		want   string
	}{
		{"none", nil, []string{message, done}, message + done},
		{"noise", []string{"noise"}, []string{message, done}, "Debugger listening on ws://127.0.0.1:9229\n" + message + done},
		{"noise elsewhere", []string{"noise@result"}, []string{message, done}, message + "Debugger listening on ws://127.0.0.1:9229\n" + done},
		{"by subtype", []string{"blank@result/success"}, []string{message, done}, message + "\n   \n\n" + done},
		{"another subtype", []string{"blank@result/error_max_turns"}, []string{message, done}, message + done},
		{"the second", []string{"blank@line#2"}, []string{message, done}, message + "\n   \n\n" + done},
		{"two faults", []string{"cr@result", "blank@assistant"}, []string{message, done}, "\n   \n\n" + message + strings.TrimSuffix(done, "\n") + "\r\n"},
		{"each", []string{"cr"}, []string{message, done}, strings.ReplaceAll(message+done, "\n", "\r\n")},
		{"member", []string{"unknown-member@result"}, []string{done}, `{"type":"result","subtype":"success","ccwire_unknown":{"a":[1,null]}}` + "\n"},
		{"block", []string{"unknown-block"}, []string{message}, `{"type":"assistant","message":{"content":[{"type":"ccwire_unknown","value":1},{"type":"text","text":"Hi."}]}}` + "\n"},
		{"request", []string{"unknown-request@result"}, []string{done}, `{"type":"control_request","request_id":"fault-1","request":{"subtype":"ccwire_unknown","value":1}}` + "\n" + done},
		{"raw", []string{"raw=%FFa@b%0A@result"}, []string{message, done}, message + "\xffa@b\n" + done},
		{"raw after", []string{"raw-after=a%0A@assistant"}, []string{message, done}, message + "a\n" + done},
		{"again", []string{"again=3@result"}, []string{message, done}, message + done + done + done},
		{"refused", []string{"response-error"}, []string{answer}, `{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"refused by a fault"}}` + "\n"},
		{"twice", []string{"response-twice"}, []string{answer, done}, answer + answer + done},
		{"late", []string{"response-late"}, []string{answer, done, done}, done + answer + done},
		{"late, at the end", []string{"response-late"}, []string{answer}, answer},
		{"missing", []string{"response-missing"}, []string{answer, done}, done},
		{"contradicted", []string{"response-contradicted"}, []string{answer}, answer + `{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"refused by a fault"}}` + "\n"},
		{"misaddressed", []string{"response-misaddressed"}, []string{answer}, strings.Replace(answer, `"r1"`, `"fault-nobody"`, 1)},
		{"cancel before", []string{"cancel-before@control_request/can_use_tool"}, []string{ask}, cancelR1 + ask},
		{"cancel during", []string{"cancel-during"}, []string{ask}, ask + cancelR1},
		{"response cancelled", []string{"response-cancelled"}, []string{answer}, cancelR1 + answer},
		{"event", []string{"unknown-event"}, []string{hook}, strings.Replace(hook, "Stop", "CcwireUnknown", 1)},
		{"drop", []string{"drop"}, []string{message, done}, done},
		{"swap", []string{"swap"}, []string{message, done, done}, done + message + done},
		{"swap, at the end", []string{"swap"}, []string{message}, message},
		{"remove", []string{"remove=subtype"}, []string{message, done, done}, message + `{"type":"result"}` + "\n" + done},
		{"remove inside", []string{"remove=message.content.0.text"}, []string{message}, `{"type":"assistant","message":{"content":[{"type":"text"}]}}` + "\n"},
		{"remove of a list", []string{"remove=message.content.0"}, []string{message}, `{"type":"assistant","message":{"content":[]}}` + "\n"},
		{"remove what is not there", []string{"remove=message.none", "remove=message.content.1", "remove=type.a"}, []string{message}, message},
		{"retype a text", []string{"retype=message.content.0.text"}, []string{message}, strings.Replace(message, `"Hi."`, "7", 1)},
		{"retype an object", []string{"retype=message"}, []string{message}, `{"type":"assistant","message":[]}` + "\n"},
		{"retype a list", []string{"retype=message.content"}, []string{message}, `{"type":"assistant","message":{"content":"ccwire"}}` + "\n"},
		{"a block where there is none", []string{"unknown-block@line"}, []string{done}, done},
		{"hang", []string{"hang@result"}, []string{message, done, message}, message},
	} {
		t.Run(test.name, func(t *testing.T) {
			i, p := inject(t, test.faults...)
			for _, text := range test.write {
				if _, err := i.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := i.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, p.out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestALateLineComesThoughNoneFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, p := inject(t, "response-late=500@control_response")
		written := func() string {
			i.mu.Lock() // as whoever writes
			defer i.mu.Unlock()
			return p.out.String()
		}
		if _, err := i.Write([]byte(started)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(499 * time.Millisecond)
		synctest.Wait()
		if got := written(); got != "" {
			t.Errorf("at once: %q", got)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff(started, written()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNobodyWaitsForTheAnswerToARequestThatWasCancelled(t *testing.T) {
	i, _ := inject(t, "cancel-during")
	var withdrawn []string
	i.process.Withdraw = func(id string) { withdrawn = append(withdrawn, id) }
	if _, err := i.Write([]byte(ask)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"r1"}, withdrawn); diff != "" {
		t.Error(diff)
	}
}

func TestFaultsThatDidNotHappenAreKnown(t *testing.T) {
	i, _ := inject(t, "blank", "noise@assistant#2", "remove=none", "deaf@user")
	if _, err := i.Write([]byte(message + done)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"noise@assistant#2", "remove=none", "deaf@user"}, i.Unused(4)); diff != "" {
		t.Error(diff)
	}
}

func TestLinesComeInPieces(t *testing.T) {
	for fault, writes := range map[string]int{"split": 2, "split=1": 2, "split-character": 2, "bytewise": len(done)} {
		i, p := inject(t, fault)
		if _, err := i.Write([]byte(done)); err != nil {
			t.Fatal(err)
		}
		if len(p.writes) != writes {
			t.Errorf("%s: %d writes, want %d: %q", fault, len(p.writes), writes, p.writes)
		}
		if fault == "split-character" && utf8.ValidString(p.writes[0]) {
			t.Errorf("%s: the first write ends with a whole character: %q", fault, p.writes[0])
		}
		if !json.Valid(p.out.Bytes()) {
			t.Errorf("%s: %q", fault, p.out.String())
		}
	}
}

func TestALongLineOnStderrIsOneLine(t *testing.T) {
	i, p := inject(t, "stderr-long=200000@result")
	if _, err := i.Write([]byte(message + done)); err != nil {
		t.Fatal(err)
	}
	if got := p.stderr.String(); len(got) != 200000 || strings.Index(got, "\n") != len(got)-1 {
		t.Errorf("stderr has %d bytes, and its first line feed is at %d", len(got), strings.Index(got, "\n"))
	}
	if diff := cmp.Diff(message+done, p.out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestFaultsAreAsLargeAsTheirValue(t *testing.T) {
	i, p := inject(t, "long=100000", "flood=200000@line#2", "stderr-flood=300000@line#3")
	for range 3 {
		if _, err := i.Write([]byte(done)); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.SplitAfter(p.out.String(), "\n")
	if len(lines[0]) != 100000 || !json.Valid([]byte(lines[0])) {
		t.Errorf("the long line has %d bytes", len(lines[0]))
	}
	if n := p.out.Len() - len(lines[0]) - 2*len(done); n < 200000 || n > 200100 {
		t.Errorf("the flood has %d bytes", n)
	}
	for _, l := range lines[1 : len(lines)-1] {
		if !json.Valid([]byte(l)) {
			t.Fatalf("the flood has the line %q", l)
		}
	}
	if n := p.stderr.Len(); n < 300000 || n > 300100 {
		t.Errorf("stderr has %d bytes", n)
	}
}

func TestFaultsThatEndTheProcess(t *testing.T) {
	for _, test := range []struct{ fault, out, did string }{
		{"exit@result", message, "exit 1"},
		{"exit=3@result", message, "exit 3"},
		{"half-line=2@result", message + done[:len(done)/2], "exit 2"},
		{"kill=TERM@result", message, "kill TERM"},
		{"unterminated=2@result", message + strings.TrimSuffix(done, "\n"), "exit 2"},
		{"exit-after", message + done, "exit 0"},
	} {
		i, p := inject(t, test.fault)
		_, err := i.Write([]byte(message + done + message))
		if err == nil {
			t.Errorf("%s: a write after it succeeds", test.fault)
		}
		if diff := cmp.Diff(test.out, p.out.String()); diff != "" {
			t.Errorf("%s: %s", test.fault, diff)
		}
		if diff := cmp.Diff([]string{test.did}, p.did); diff != "" {
			t.Errorf("%s: %s", test.fault, diff)
		}
	}
	i, p := inject(t, "close-stdout@result")
	if _, err := i.Write([]byte(message + done + message)); err != nil || p.out.String() != message || len(p.did) != 1 {
		t.Errorf("close-stdout: %v, %q, %q", err, p.out.String(), p.did)
	}
}

func TestFaultsKnowWhatTheSDKAsked(t *testing.T) {
	i, p := inject(t, "early-request", "cancel-after")
	in := i.Reader(strings.NewReader(start + answer))
	read := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(in, got); err != nil || string(got) != want {
			t.Fatalf("read %q, %v", got, err)
		}
	}
	read(start)
	if _, err := i.Write([]byte(started + ask)); err != nil {
		t.Fatal(err)
	}
	if before, _, _ := strings.Cut(p.out.String(), started); !strings.Contains(before, `"can_use_tool"`) {
		t.Errorf("before the reply: %q", before)
	}
	if strings.Contains(p.out.String(), "control_cancel_request") {
		t.Error("the request was cancelled before its answer")
	}
	read(answer)
	if !strings.HasSuffix(p.out.String(), cancelR1) {
		t.Errorf("after the answer: %q", p.out.String())
	}
}

func TestTheDeafReadNothing(t *testing.T) {
	i, _ := inject(t, "deaf@control_response")
	in := i.Reader(strings.NewReader(start + answer))
	text := make(chan string, 1)
	go func() { // ends when the injector is closed
		all, _ := io.ReadAll(in)
		text <- string(all)
	}()
	select {
	case got := <-text:
		t.Errorf("the reader has ended: %q", got)
	case <-time.After(20 * time.Millisecond):
	}
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-text; got != start {
		t.Errorf("read %q", got)
	}
}

func TestThoseWhoStayAreNotToldOfTheEndOfTheInput(t *testing.T) {
	i, _ := inject(t, "stay@result")
	if _, err := i.Write([]byte(done)); err != nil {
		t.Fatal(err)
	}
	in := i.Reader(strings.NewReader(start))
	read := make(chan error, 1)
	go func() { // ends when the injector is closed
		_, err := io.ReadAll(in)
		read <- err
	}()
	select {
	case <-read:
		t.Error("the reader has ended")
	case <-time.After(20 * time.Millisecond):
	}
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
}

func TestNothingIsReadWhileAWriteBlocks(t *testing.T) {
	out, w := io.Pipe()
	i := New(nil, w, Process{})
	in := i.Reader(strings.NewReader(start))
	go func() { _, _ = i.Write([]byte(done)) }() // ends when the pipe is read
	first := make([]byte, 1)
	if _, err := out.Read(first); err != nil { // the write has begun and is not done
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { // ends with the write
		_, _ = in.Read(make([]byte, 100))
		close(read)
	}()
	select {
	case <-read:
		t.Error("a line was read")
	case <-time.After(20 * time.Millisecond):
	}
	if _, err := io.ReadFull(out, make([]byte, len(done)-1)); err != nil {
		t.Fatal(err)
	}
	<-read
}

func TestBadFaultsAreErrors(t *testing.T) {
	for text, part := range map[string]string{
		"nois":              "no such fault",
		"noise=3":           "takes no value",
		"raw=%G":            "invalid URL escape",
		"exit=x":            `"x" is not an exit code`,
		"exit=-1":           "not an exit code",
		"long=999999999999": "not a number from 0",
		"kill=HUP":          "KILL, TERM",
		"noise@":            "not the kind of a line",
		"noise@a b":         "not the kind of a line",
		"noise@init":        `"init" is not the kind of a line that the CLI writes; did you mean system/init?`,
		"noise@can_use_tol": "did you mean control_request/can_use_tool?",
		"noise@asistant":    "did you mean assistant?",
		"noise@foo":         "not the kind of a line that the CLI writes, such as control_request/can_use_tool",
		"noise@line:2":      "did you mean line#2?",
		"noise@result/good": "not the kind of a line that the CLI writes",
		"deaf@result":       "not the kind of a line that the SDK writes",
		"exit=300":          `"300" is not an exit code from 0 to 255`,
		"half-line=256":     "not an exit code",
		"remove":            "remove needs a member",
		"retype=a..b":       "not the path of a member",
		"noize":             "did you mean noise?",
		"noise@result#0":    "not the number of a line",
		"noise@result#x":    "not the number of a line",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", text, err, part)
		}
	}
}

func TestEachRowOfTheTableIsAFault(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Table() {
		name := row.Name
		if row.path {
			name += "=type"
		}
		f, err := Parse(name)
		if err != nil {
			t.Error(err)
		}
		if seen[row.Name] || !strings.HasSuffix(row.Sentence, ".") || row.do == nil && !row.input || f.String() != name {
			t.Errorf("the row of %s is not right", row.Name)
		}
		if row.Value != "" && !strings.Contains(row.Sentence, row.Value) {
			t.Errorf("the sentence of %s does not name its value %s", row.Name, row.Value)
		}
		seen[row.Name] = true
	}
}
