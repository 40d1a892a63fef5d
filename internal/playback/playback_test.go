package playback_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/playback"
	"github.com/ccwire/ccwire/internal/recording"
)

// entries makes a recording of short lines: "> LINE" is what the SDK wrote, "< LINE" the CLI, "END"
// the end of the input.
func entries(t *testing.T, text string) (list []recording.Entry) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "END":
			list = append(list, recording.Entry{Dir: recording.EOF})
		case strings.HasPrefix(line, "> "):
			list = append(list, recording.Entry{Dir: recording.ToCLI, Line: line[2:]})
		case strings.HasPrefix(line, "< "):
			list = append(list, recording.Entry{Dir: recording.ToSDK, Line: line[2:]})
		}
	}
	return list
}

const session = `
> {"type":"user","message":{"role":"user","content":"one"}}
< {"type":"system","subtype":"init","session_id":"session-1"}
< {"type":"control_request","request_id":"a","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"toolu_1","input":{}}}
> {"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"behavior":"allow","toolUseID":"toolu_1"}}}
< {"type":"result","subtype":"success"}
> {"type":"user","message":{"role":"user","content":"two"},"session_id":"session-1"}
< {"type":"result","subtype":"success"}
END
`

// A step of a peer: it writes lines, and then reads one that has a text.
type step struct {
	write []string
	want  string
}

// play plays a half to a peer and returns what came to it, and the notes.
func play(t *testing.T, half recording.Dir, text string, patience time.Duration, steps ...step) (got, notes []string) {
	t.Helper()
	fromPeer, peerOut := io.Pipe()
	peerIn, toPeer := io.Pipe()
	done := make(chan error, 1)
	go func() { // ends with its steps
		defer peerOut.Close()
		in := bufio.NewScanner(peerIn)
		for _, s := range steps {
			for _, line := range s.write {
				fmt.Fprintln(peerOut, line)
			}
			if s.want == "" {
				continue
			}
			if !in.Scan() || !strings.Contains(in.Text(), s.want) {
				peerIn.CloseWithError(errors.New("the peer has another line"))
				done <- fmt.Errorf("the peer got %q, want %q", in.Text(), s.want)
				return
			}
			got = append(got, in.Text())
		}
		if half == recording.ToCLI && in.Scan() {
			done <- fmt.Errorf("the peer got %q, want nothing more", in.Text())
			return
		}
		done <- nil
	}()
	p := &playback.Player{Half: half, Patience: patience, Note: func(s string) { notes = append(notes, s) }}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := p.Play(ctx, entries(t, text), fromPeer, toPeer); err != nil {
		t.Fatal(err)
	}
	toPeer.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	return got, notes
}

func TestLinesOfTheSDKWaitForTheCLIAndHaveItsIDs(t *testing.T) {
	got, notes := play(t, recording.ToCLI, session, time.Minute,
		step{want: `"one"`},
		step{[]string{
			`{"type":"system","subtype":"init","session_id":"session-2"}`,
			`{"type":"control_request","request_id":"x","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"toolu_9","input":{}}}`,
		}, `"request_id":"x"`},
		step{[]string{`{"type":"result","subtype":"success"}`}, `"two"`},
		step{write: []string{`{"type":"result","subtype":"success"}`}},
	)
	want := []string{
		`{"type":"user","message":{"role":"user","content":"one"}}`,
		`{"type":"control_response","response":{"subtype":"success","request_id":"x","response":{"behavior":"allow","toolUseID":"toolu_9"}}}`,
		`{"type":"user","message":{"role":"user","content":"two"},"session_id":"session-2"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" || len(notes) > 0 {
		t.Error(diff, notes)
	}
}

func TestACLIThatGoesAnotherWayIsToldOfAndTheRecordingGoesOn(t *testing.T) {
	_, notes := play(t, recording.ToCLI, session, 50*time.Millisecond,
		step{want: `"one"`},
		step{want: `"two"`},
	)
	want := []string{
		"entry 4 was not sent: nobody asks for can_use_tool Bash",
		"entry 6 was sent, though only 0 of 1 lines of the kind result had come",
		"entry 8 was sent, though only 0 of 2 lines of the kind result had come",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
}

func TestLinesOfTheCLIAreAnswersToTheRequestsOfTheSDK(t *testing.T) {
	const recorded = `
> {"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}
< {"type":"control_response","response":{"subtype":"success","request_id":"1","response":{}}}
> {"type":"user","message":{"role":"user","content":"one"}}
< {"type":"result","subtype":"success"}
END
`
	got, notes := play(t, recording.ToSDK, recorded, time.Minute,
		step{[]string{`{"type":"control_request","request_id":"req_7","request":{"subtype":"initialize"}}`}, "control_response"},
		step{[]string{`{"type":"user","message":{"role":"user","content":"two"}}`}, "result"},
	)
	want := []string{
		`{"type":"control_response","response":{"subtype":"success","request_id":"req_7","response":{}}}`,
		`{"type":"result","subtype":"success"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" || len(notes) > 0 {
		t.Error(diff, notes)
	}
}

func TestAnAnswerOfAServerHasTheIDOfTheJSONRPCRequest(t *testing.T) {
	const recorded = `
< {"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":4,"method":"tools/list"}}}
> {"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mcp_response":{"jsonrpc":"2.0","id":4,"result":{"id":4}}}}}
`
	got, _ := play(t, recording.ToCLI, recorded, time.Minute, step{
		[]string{`{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":"z","method":"tools/list"}}}`},
		`"id":"z"`,
	})
	if len(got) != 1 || !strings.Contains(got[0], `"result":{"id":4}`) {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	for _, text := range []string{"", `{"type":"keep_alive"}`} {
		if _, err := playback.Read(strings.NewReader(text)); !errors.Is(err, playback.ErrNoRecording) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := playback.Read(strings.NewReader("{\"dir\":\"header\"}\nprose")); err == nil || !strings.Contains(err.Error(), "entry 2") {
		t.Errorf("prose: %v", err)
	}
}

func TestALineThatIsTooLongIsCutAndTheNextOneIsRead(t *testing.T) {
	long := strings.Repeat("x", codec.DefaultMaxLine+2) + "\n"
	p := &playback.Player{Half: recording.ToCLI, Patience: time.Minute}
	in := strings.NewReader(long + `{"type":"keep_alive"}` + "\n")
	if err := p.Play(t.Context(), nil, in, discard{io.Discard}); err != nil {
		t.Fatal(err)
	}
	var got []recording.Entry
	for _, e := range p.Played() {
		if e.Dir == recording.ToSDK {
			got = append(got, e)
		}
	}
	if len(got) != 2 || got[0].Truncated != len(long) || len(got[0].Line) != 1000 || got[1].Line != `{"type":"keep_alive"}` {
		t.Errorf("%d entries, the first of %d bytes from %d", len(got), len(got[0].Line), got[0].Truncated)
	}
}

// discard is a peer that reads everything.
type discard struct{ io.Writer }

func (discard) Close() error { return nil }
