package fakeapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/conformance/fakeapi"
)

// ask sends a user text to the API, and returns the answer.
func ask(t *testing.T, url, text string) string {
	t.Helper()
	body := fmt.Sprintf(`{"model": "m", "max_tokens": 1, "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": %q}]}`, text)
	answer, err := http.Post(url+"/v1/messages", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

func TestTheModelSaysWhatTheScriptTellsItTo(t *testing.T) {
	api, err := fakeapi.Start(t.Context(), []byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}, {"text": "never"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	if said := ask(t, api.URL(), "greet me"); !strings.Contains(said, `"Hello."`) {
		t.Errorf("it says %s", said)
	}
	if err := api.Wait(t.Context(), func(all []fakeapi.Request) bool { return len(all) == 1 && all[0].Outcome == "complete" }); err != nil {
		t.Fatal(err)
	}
	want := []fakeapi.Request{{
		Method: "POST", Path: "/v1/messages", From: "main", Model: "m", Messages: 1, Tools: 1, Text: "greet me",
		Turn: 1, Answer: "turn", Status: 200, Outcome: "complete",
	}}
	if diff := cmp.Diff(want, api.Requests()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if unused := api.Unused(); !slices.Equal(unused, []int{2}) {
		t.Errorf("unused: %v", unused)
	}
}

func TestTheEnvironmentLeadsToTheServerAndNotToTheUsersFiles(t *testing.T) {
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "secret")
	api, err := fakeapi.Start(t.Context(), []byte(`{}`), &fakeapi.Options{Addr: "localhost:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	env := api.Env("/a/home")
	for _, want := range []string{"ANTHROPIC_BASE_URL=" + api.URL(), "HOME=/a/home"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not in %q", want, env)
		}
	}
	if strings.Contains(strings.Join(env, "\n"), "secret") {
		t.Errorf("a token of the user is in %q", env)
	}
}

func TestWhatCannotBeServedIsAnError(t *testing.T) {
	if _, err := fakeapi.Start(t.Context(), []byte("{\n\"turns\": [{\"txt\": 1}]}"), nil); err == nil || !strings.Contains(err.Error(), ":2:") {
		t.Errorf("a script with an unknown member: %v", err)
	}
	if _, err := fakeapi.Start(t.Context(), []byte(`{}`), &fakeapi.Options{Addr: "127.0.0.1:99999"}); err == nil {
		t.Error("a port that is none is taken")
	}
}

func TestWaitEndsWhenTheServerCloses(t *testing.T) {
	api, err := fakeapi.Start(t.Context(), []byte(`{}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	api.Close()
	if err := api.Wait(context.Background(), func([]fakeapi.Request) bool { return false }); !errors.Is(err, fakeapi.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
