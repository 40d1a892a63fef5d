package replay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
)

func exit(code int, stderr string) recording.Entry {
	return recording.Entry{Dir: recording.Exit, Code: &code, Stderr: stderr}
}

func serve(t *testing.T, s *Session, input string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var out bytes.Buffer
	if s.Names == nil {
		s.Names = recording.NewNames("2.1.325", "")
	}
	code, stderr = s.Serve(ctx, strings.NewReader(input), &out)
	return code, out.String(), stderr
}

// dialogue is a short recording.
func dialogue() []recording.Entry {
	return []recording.Entry{
		{Dir: recording.Header},
		{Dir: recording.ToCLI, Line: `{"type":"control_request","request_id":"init","request":{"subtype":"initialize"}}`},
		{Dir: recording.ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"init"},"v":"[version]"}`},
		{Dir: recording.ToCLI, Line: `{"type":"user","message":{"role":"user","content":"hello"}}`},
		{Dir: recording.ToSDK, Line: `{"type":"result"}`},
		{Dir: recording.EOF},
		exit(3, "bye"),
	}
}

func TestServeSaysWhatTheRecordingSays(t *testing.T) {
	code, stdout, stderr := serve(t, &Session{Entries: dialogue()},
		`{"request_id":"init","type":"control_request","request":{"subtype":"initialize"}}`+"\n"+`{"type":"user","message":{"role":"user","content":"hello"}}`+"\n")
	want := `{"type":"control_response","response":{"subtype":"success","request_id":"init"},"v":"2.1.325"}` + "\n" + `{"type":"result"}` + "\n"
	if code != 3 || stderr != "bye" || stdout != want {
		t.Errorf("got %d %q\n%s", code, stderr, stdout)
	}
}

func TestASessionEndsWhenTheSDKLeavesTheRecording(t *testing.T) {
	for name, input := range map[string]string{
		"other line":   `{"type":"control_request","request_id":"x","request":{"subtype":"initialize"}}` + "\n",
		"end of input": "",
	} {
		code, stdout, stderr := serve(t, &Session{Entries: dialogue()}, input)
		if code != ExitStray || stdout != "" || !strings.Contains(stderr, "the SDK has left the recording") {
			t.Errorf("%s: got %d %q %q", name, code, stdout, stderr)
		}
	}
}

func TestIDsOfTheCLIAreNewInEachSession(t *testing.T) {
	const placeholder = "00000000-0000-4000-8000-000000000001"
	entries := []recording.Entry{
		{Dir: recording.Header},
		{Dir: recording.ToSDK, Line: `{"type":"control_request","request_id":"` + placeholder + `"}`},
		{Dir: recording.ToCLI, Line: `{"type":"control_response","response":{"request_id":"` + placeholder + `"}}`},
		{Dir: recording.ToSDK, Line: `{"again":"` + placeholder + `"}`},
		exit(0, ""),
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	codes := make(chan int, 1)
	go func() { // ends with the recording
		s := &Session{Entries: entries, Names: recording.NewNames("2.1.325", "")}
		code, _ := s.Serve(t.Context(), inR, outW)
		outW.Close()
		codes <- code
	}()
	buf := make([]byte, 1000)
	n, err := outR.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSuffix(strings.TrimPrefix(string(buf[:n]), `{"type":"control_request","request_id":"`), "\"}\n")
	if id == placeholder || len(id) != len(placeholder) {
		t.Errorf("the id is %q", id)
	}
	if _, err := io.WriteString(inW, `{"type":"control_response","response":{"request_id":"`+id+`"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(outR)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"again":"`+id+`"}`+"\n", string(rest)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if code := <-codes; code != 0 {
		t.Errorf("exit code %d", code)
	}
	inW.Close()
}

func TestRawBytesAndLongLinesAreCompared(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	entries := []recording.Entry{
		{Dir: recording.Header},
		recording.Written(recording.ToCLI, []byte("one\ntwo\n")),
		recording.Written(recording.ToCLI, []byte("bad \xff\n")),
		recording.Written(recording.ToCLI, []byte(long+"\n")),
		recording.Written(recording.ToCLI, []byte("half")),
		recording.Written(recording.ToCLI, []byte(" a line")),
		{Dir: recording.EOF},
		exit(0, ""),
	}
	if code, _, stderr := serve(t, &Session{Entries: entries}, "one\ntwo\nbad \xff\n"+long+"\nhalf a line"); code != 0 {
		t.Errorf("got %d %s", code, stderr)
	}
	if code, _, _ := serve(t, &Session{Entries: entries}, "one\ntwo\nbad \xff\n"+long+"y\nhalf a line"); code != ExitStray {
		t.Errorf("a line of another length is accepted: %d", code)
	}
}

func TestSignalsAreWaitedFor(t *testing.T) {
	signals := make(chan string, 1)
	signals <- "TERM"
	s := &Session{Entries: []recording.Entry{{Dir: recording.Header}, {Dir: recording.Signal, Line: "TERM"}, exit(143, "")}, Signals: signals}
	if code, _, stderr := serve(t, s, ""); code != 143 {
		t.Errorf("got %d %s", code, stderr)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	cancel(errors.New("enough"))
	s := &Session{Entries: []recording.Entry{{Dir: recording.Header}, {Dir: Hang}, exit(0, "")}, Names: recording.NewNames("", "")}
	if code, _ := s.Serve(ctx, r, io.Discard); code != 1 {
		t.Errorf("got %d", code)
	}
}
