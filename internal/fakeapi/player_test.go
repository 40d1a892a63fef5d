package fakeapi

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestPaceOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeLab(t, `{"turns":[{"text":"abcdef","pace":{"before":"1h","chunk":2,"every":"1m"}}]}`)
		start := time.Now()
		resp := l.send(t.Context(), "/v1/messages", mainBody("hi", true))
		if got := time.Since(start); got != time.Hour {
			t.Errorf("first byte after %v, want 1h", got)
		}
		in, last := bufio.NewReader(resp.Body), time.Now()
		var gaps []time.Duration
		for {
			e, err := readEvent(in)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.name == "content_block_delta" {
				gaps = append(gaps, time.Since(last))
				last = time.Now()
			}
		}
		if want := []time.Duration{0, time.Minute, time.Minute}; !slices.Equal(gaps, want) {
			t.Errorf("times before deltas %v, want %v", gaps, want)
		}
	})
}

func TestStallHoldsTheStreamUntilTheClientGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeLab(t, `{"turns":[{"text":"abc","cut":{"how":"stall"}}]}`)
		ctx, cancel := context.WithCancel(t.Context())
		resp := l.send(ctx, "/v1/messages", mainBody("hi", true))
		in := bufio.NewReader(resp.Body)
		for _, want := range []string{"message_start", "content_block_start", "content_block_delta"} {
			if e, err := readEvent(in); err != nil || e.name != want {
				t.Fatalf("got %v, %v, want %s", e, err, want)
			}
		}
		if err := l.Wait(t.Context(), outcomeIs(Stalled)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(24 * time.Hour) // of the bubble's clock
		if got := l.Requests()[0].Outcome; got != Stalled {
			t.Errorf("a day later it is %q", got)
		}
		cancel()
		if err := l.Wait(t.Context(), outcomeIs(ClientGone)); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseEndsAnswersAndLeavesNoGoroutine(t *testing.T) {
	for _, test := range []struct {
		name, turn string
		stream     bool
		until      Outcome
	}{
		{"stalled", `{"text":"abc","cut":{"how":"stall"}}`, true, Stalled},
		{"stalled before the first byte", `{"text":"abc","cut":{"how":"stall","after":0}}`, true, Stalled},
		{"stalled without a stream", `{"text":"abc","cut":{"how":"stall"}}`, false, Stalled},
		{"late", `{"text":"abc","pace":{"before":"1h"}}`, true, Answering},
		{"slow", `{"text":"abc","pace":{"chunk":1,"every":"1h"}}`, true, Answering},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // fails when a goroutine is left
				l := newPipeLab(t, `{"turns":[`+test.turn+`]}`)
				done := make(chan error, 1)
				go func() {
					r, _ := http.NewRequest(http.MethodPost, l.URL()+"/v1/messages", strings.NewReader(mainBody("hi", test.stream)))
					resp, err := l.client.Do(r)
					if err == nil {
						_, err = io.ReadAll(resp.Body)
						resp.Body.Close()
					}
					done <- err
				}()
				if err := l.Wait(t.Context(), outcomeIs(test.until)); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				l.Close()
				if err := <-done; err == nil {
					t.Error("the client saw a whole answer")
				}
				if got := l.Requests()[0].Outcome; got != ServerClosed {
					t.Errorf("outcome %q, want %q", got, ServerClosed)
				}
			})
		})
	}
}

func TestDropClosesTheConnection(t *testing.T) {
	for _, test := range []struct {
		name, cut string
		stream    bool
		want      []string // events before the end
	}{
		{"by default before the last stop", `{"how":"drop"}`, true,
			[]string{"message_start", "content_block_start", "content_block_delta"}},
		{"after the first event", `{"how":"drop","after":1}`, true, []string{"message_start"}},
		{"later than the last event", `{"how":"drop","after":99}`, true, []string{"message_start", "content_block_start",
			"content_block_delta", "content_block_stop", "message_delta", "message_stop"}},
		{"without a stream", `{"how":"drop"}`, false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, `{"turns":[{"text":"abc","cut":`+test.cut+`}]}`)
			resp := l.send(t.Context(), "/v1/messages", mainBody("hi", test.stream))
			body, err := io.ReadAll(resp.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("got %v, want an unexpected end", err)
			}
			if len(body) == 0 {
				t.Error("nothing came before the end")
			}
			if test.stream {
				if got := names(readEvents(t, strings.NewReader(string(body)))); !slices.Equal(got, test.want) {
					t.Errorf("got %v, want %v", got, test.want)
				}
			}
			if err := l.Wait(t.Context(), outcomeIs(Dropped)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDropBeforeTheFirstByte(t *testing.T) {
	l := newLab(t, `{"turns":[{"text":"abc","cut":{"how":"drop","after":0}}]}`)
	resp, err := l.client.Post(l.URL()+"/v1/messages", "application/json", strings.NewReader(mainBody("hi", true)))
	if err == nil {
		resp.Body.Close()
		t.Fatalf("got %s, want no answer", resp.Status)
	}
	if q := l.Requests()[0]; q.Status != 0 || q.Outcome != Dropped {
		t.Errorf("got %+v", q)
	}
}

func TestErrorInsideAStream(t *testing.T) {
	const script = `{"turns":[{"text":"abc","error":{"type":"overloaded_error","message":"busy"},"cut":{"how":"error"},"times":2}]}`
	l := newLab(t, script)
	resp := l.send(t.Context(), "/v1/messages", mainBody("hi", true))
	list := readEvents(t, resp.Body)
	want := []string{"message_start", "content_block_start", "content_block_delta", "error"}
	if got := names(list); resp.StatusCode != 200 || !slices.Equal(got, want) {
		t.Fatalf("got %d %v, want 200 %v", resp.StatusCode, got, want)
	}
	const body = `{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_0001"}`
	if got := list[3].data; got != body {
		t.Errorf("got %s\nwant %s", got, body)
	}
	if resp := l.send(t.Context(), "/v1/messages", mainBody("hi", false)); resp.StatusCode != 500 {
		t.Errorf("without a stream: status %d, want 500", resp.StatusCode)
	}
}

func TestPausesThatAreVirtualTakeNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeLab(t, `{"virtual_time":true,"turns":[{"text":"slow","pace":{"before":"1h","chunk":1,"every":"1h"}}]}`)
		began := time.Now()
		if got := l.ask(`{"model":"m","max_tokens":1,"stream":true,"tools":[{"name":"T"}],"messages":[{"role":"user","content":"hi"}]}`); got != "slow" {
			t.Errorf("got %q", got)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
