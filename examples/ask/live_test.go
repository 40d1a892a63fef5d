//go:build live

package main

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/livetest"
	"github.com/ccwire/ccwire/transport"
)

func TestLiveAskPrintsTheText(t *testing.T) {
	opts, _ := livetest.Start(t, `{"turns":[{"text":"Paris."}]}`)
	var out strings.Builder
	if err := ask(t.Context(), "What is the capital of France?", opts, &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != "Paris.\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestLiveAskFailsWhenTheAPIRefuses(t *testing.T) {
	var out strings.Builder
	livetest.Refused(t, func(opts *transport.Options) error {
		return ask(t.Context(), "What is the capital of France?", opts, &out)
	})
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
}
