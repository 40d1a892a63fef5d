package apirun

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

func TestEveryRequestIsToldOnce(t *testing.T) {
	srv, err := fakeapi.Start(t.Context(), fakeapi.Script{Turns: []fakeapi.Turn{{Text: "one"}, {Text: "held", Cut: &fakeapi.Cut{How: fakeapi.Stall}}, {Text: "never"}, {Text: "never"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	var told []string
	wait := Watch(srv, func(q fakeapi.Request) { told = append(told, Line(q)) })
	post := func(ctx context.Context, text string) {
		body := `{"model": "m", "max_tokens": 1, "tools": [{"name": "Write"}], "messages": [{"role": "user", "content": "` + text + `"}]}`
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL()+"/v1/messages", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		if resp, err := http.DefaultClient.Do(r); err == nil {
			resp.Body.Close()
		}
	}
	post(t.Context(), "first")
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() { // ends when the request is given up
		defer close(gone)
		post(ctx, "second")
	}()
	stalled := func(all []fakeapi.Request) bool { return len(all) == 2 && all[1].Outcome == fakeapi.Stalled }
	if err := srv.Wait(t.Context(), stalled); err != nil {
		t.Fatal(err)
	}
	srv.Close()
	wait()
	cancel()
	<-gone
	// The request that is held is told as it is seen first: held, or ended with the server.
	if len(told) == 2 {
		told[1], _, _ = strings.Cut(told[1], ", ")
	}
	if diff := cmp.Diff([]string{`main "first": turn 1`, `main "second": turn 2`}, told); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got, want := Left(srv), "turns 3, 4 were not asked for"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
