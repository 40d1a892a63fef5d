package linestream_test

import (
	"io"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/linestream"
)

func TestTranscriptFilesAreToldFromStreams(t *testing.T) {
	for input, want := range map[string]bool{
		`{"type":"queue-operation","sessionId":"s"}`:                       true,
		`{"parentUuid":null,"type":"user","message":{}}`:                   true,
		`{"type":"summary","summary":"x","leafUuid":"u"}`:                  true,
		"\n" + `{"type":"file-history-snapshot","messageId":"u"}`:          true,
		`{"type":"user","session_id":"s","parent_tool_use_id":null}`:       false,
		`{"type":"keep_alive"}` + "\n" + `{"type":"mode","sessionId":"s"}`: false,
		`{"dir":"cli->sdk","line":"x","sessionId":"s"}`:                    false,
		`{"sessionId":"s"}`: false,
		"text":              false,
		"":                  false,
	} {
		s := linestream.NewSplitter(strings.NewReader(input), linestream.Options{})
		var b linestream.Block
		for {
			if err := s.Next(&b); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Transcript(); got != want {
			t.Errorf("%q: got %t", input, got)
		}
	}
}
