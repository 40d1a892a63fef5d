package fakeapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestStreamedAndPlainAnswer(t *testing.T) {
	l := newLab(t, `{"turns":[{"text":"one","header":{"X-Extra":"yes"}},{"text":"two"}]}`)
	resp := l.send(t.Context(), "/v1/messages?beta=true", mainBody("hi", true))
	want := []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}
	if got := names(readEvents(t, resp.Body)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if h := resp.Header; h.Get("Content-Type") != "text/event-stream; charset=utf-8" || h.Get("Request-Id") != "req_0001" || h.Get("X-Extra") != "yes" {
		t.Errorf("header %v", h)
	}
	resp = l.send(t.Context(), "/v1/messages", mainBody("hi", false))
	body, _ := io.ReadAll(resp.Body)
	const message = `{"id":"msg_0002","type":"message","role":"assistant","model":"claude-test","content":[{"text":"two","type":"text"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,` +
		`"input_tokens":10,"output_tokens":5,"service_tier":"standard"}}`
	if diff := cmp.Diff(message, string(body)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestErrorAnswers(t *testing.T) {
	for _, test := range []struct {
		status int
		kind   string
	}{
		{400, "invalid_request_error"}, {401, "authentication_error"}, {403, "permission_error"}, {413, "request_too_large"},
		{422, "invalid_request_error"}, {429, "rate_limit_error"}, {500, "api_error"}, {503, "api_error"}, {529, "overloaded_error"},
	} {
		t.Run(fmt.Sprint(test.status), func(t *testing.T) {
			l := newLab(t, fmt.Sprintf(`{"turns":[{"error":{"status":%d,"message":"no","retry_after":7}}]}`, test.status))
			resp := l.send(t.Context(), "/v1/messages", mainBody("hi", true))
			body, _ := io.ReadAll(resp.Body)
			want := fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":"no"},"request_id":"req_0001"}`, test.kind)
			if resp.StatusCode != test.status || string(body) != want || resp.Header.Get("Retry-After") != "7" {
				t.Errorf("got %d %s, retry-after %q\nwant %d %s", resp.StatusCode, body, resp.Header.Get("Retry-After"), test.status, want)
			}
		})
	}
}

func TestRecordOfASession(t *testing.T) {
	l := newLab(t, `{"turns":[{"text":"one"}, {"text":"never","match":{"text":"nobody says this"}}],"count_tokens":42}`)
	if got := l.ask(mainBody("first", true)); got != "one" {
		t.Errorf("got %q", got)
	}
	if got := l.ask(mainBody("second", false)); got != "done" {
		t.Errorf("after the last turn: got %q", got)
	}
	resp := l.send(t.Context(), "/v1/messages/count_tokens?beta=true", `{"model":"m","messages":[{"role":"user","content":"prose"}],"tools":[]}`)
	if body, _ := io.ReadAll(resp.Body); string(body) != `{"input_tokens":42}` {
		t.Errorf("count_tokens: %s", body)
	}
	l.ask(`{"model":"small","max_tokens":5,"messages":[{"role":"user","content":"a private helper text"}]}`)
	if resp := l.send(t.Context(), "/v1/messages", `{"model":`); resp.StatusCode != 400 {
		t.Errorf("a broken body: status %d", resp.StatusCode)
	}
	if resp, err := l.client.Head(l.URL() + "/api/hello"); err != nil || resp.StatusCode != 200 {
		t.Errorf("HEAD: %v, %v", resp, err)
	}
	if resp := l.send(t.Context(), "/api/event_logging/batch", `{"events":[]}`); resp.StatusCode != 404 {
		t.Errorf("another path: status %d", resp.StatusCode)
	}
	resp, err := l.client.Get(l.URL() + "/v1/messages")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 405 {
		t.Errorf("GET: status %d", resp.StatusCode)
	}

	l.Close()
	want := []Request{
		{Method: "POST", Path: "/v1/messages", From: Main, Model: "claude-test", Stream: true, Messages: 1, Tools: 1, Text: "first", Turn: 1, Answer: FromTurn, Status: 200, Outcome: Complete},
		{Method: "POST", Path: "/v1/messages", From: Main, Model: "claude-test", Messages: 1, Tools: 1, Text: "second", Answer: Exhausted, Status: 200, Outcome: Complete},
		{Method: "POST", Path: "/v1/messages/count_tokens", Model: "m", Messages: 1, Answer: Counted, Status: 200, Outcome: Complete},
		{Method: "POST", Path: "/v1/messages", From: Helper, Model: "small", Messages: 1, Answer: ByDefault, Status: 200, Outcome: Complete},
		{Method: "POST", Path: "/v1/messages", Answer: Refused, Status: 400, Outcome: Complete},
		{Method: "HEAD", Path: "/api/hello", Answer: OffScript, Status: 200, Outcome: Complete},
		{Method: "POST", Path: "/api/event_logging/batch", Answer: OffScript, Status: 404, Outcome: Complete},
		{Method: "GET", Path: "/v1/messages", Answer: Refused, Status: 405, Outcome: Complete},
	}
	if diff := cmp.Diff(want, l.Requests()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := l.Unused(); !slices.Equal(got, []int{2}) {
		t.Errorf("unused %v, want [2]", got)
	}
}

func TestBadRequestsGetAnAPIError(t *testing.T) {
	l := newLab(t, `{}`)
	for _, body := range []string{``, `[]`, `null`, "\xff\x00", `{"model":1}`, `{"model":"m","max_tokens":1,"messages":[5]}`} {
		resp := l.send(t.Context(), "/v1/messages", body)
		var e apiError
		if err := json.NewDecoder(resp.Body).Decode(&e); err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != 400 || e.Type != "error" || e.Error.Type != "invalid_request_error" || e.Error.Message == "" {
			t.Errorf("%q: got %d %+v", body, resp.StatusCode, e)
		}
	}
}

func TestRequestLargerThanTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeLab(t, `{}`)
		// The client stops sending when the answer comes, so a write error is as good as the
		// answer.
		resp, err := l.client.Post(l.URL()+"/v1/messages", "application/json", strings.NewReader(strings.Repeat(" ", 1<<16+1)))
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != 413 {
				t.Errorf("status %d, want 413", resp.StatusCode)
			}
		}
		if err := l.Wait(t.Context(), func(list []Request) bool { return len(list) == 1 && list[0].Status == 413 }); err != nil {
			t.Error(err)
		}
	})
}

func TestWaitEnds(t *testing.T) {
	l := newLab(t, `{}`)
	never := func([]Request) bool { return false }
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	if err := l.Wait(ctx, never); !errors.Is(err, reason) {
		t.Errorf("got %v, want %v", err, reason)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := l.Wait(t.Context(), never); !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want %v", err, ErrClosed)
		}
	})
	l.Close()
	wg.Wait()
}

func TestServerClosesWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	srv, err := Start(ctx, Script{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := srv.Wait(t.Context(), func([]Request) bool { return false }); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want %v", err, ErrClosed)
	}
	srv.Close()
	srv.Close()
	if resp, err := http.Get(srv.URL()); err == nil {
		resp.Body.Close()
		t.Error("it still answers")
	}
	if _, err := Start(ctx, Script{}); !errors.Is(err, context.Canceled) {
		t.Errorf("start with an ended context: %v", err)
	}
}

func TestManyRequestsAtOnce(t *testing.T) {
	const n = 20
	l := newLab(t, `{"turns":[{"text":"one"},{"text":"hello","times":-1,"match":{"text":"hello"}}]}`)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			resp, err := l.client.Post(l.URL()+"/v1/messages", "application/json", strings.NewReader(mainBody(fmt.Sprint("hello ", i), i%2 == 0)))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			_, _ = io.Copy(io.Discard, resp.Body)
		})
	}
	all := func(list []Request) bool {
		return len(list) == n && !slices.ContainsFunc(list, func(q Request) bool { return q.Outcome != Complete })
	}
	if err := l.Wait(t.Context(), all); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if got := l.Unused(); !slices.Equal(got, []int{1}) {
		t.Errorf("unused %v, want [1]", got)
	}
}

func TestTheCallerCanChooseTheAddress(t *testing.T) {
	first, err := Listen(t.Context(), "127.0.0.1:0", Script{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	addr := strings.TrimPrefix(first.URL(), "http://")
	if _, err := Listen(t.Context(), addr, Script{}); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("an address that is taken: %v", err)
	}
	first.Close()
	again, err := Listen(t.Context(), addr, Script{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.URL() != first.URL() {
		t.Errorf("it is at %s, want %s", again.URL(), first.URL())
	}
}

func TestTheEnvironmentOfTheServerLeadsToItAlone(t *testing.T) {
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "a real token")
	t.Setenv("HTTPS_PROXY", "http://proxy.example")
	l := newLab(t, `{}`)
	env := l.Env("/scratch")
	for _, want := range []string{"ANTHROPIC_BASE_URL=" + l.URL(), "HOME=/scratch"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	for _, v := range env {
		if strings.Contains(v, "real") || strings.Contains(v, "proxy") {
			t.Errorf("the environment has %s", v)
		}
	}
}
