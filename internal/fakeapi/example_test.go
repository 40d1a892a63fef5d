package fakeapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

func Example() {
	ctx := context.Background()
	script, err := fakeapi.ParseScript([]byte(`{"turns": [
		{"error": {"status": 529, "message": "Overloaded", "retry_after": 1}},
		{"text": "Hello."}
	]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv, err := fakeapi.Start(ctx, script)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()

	body := `{"model": "claude-test", "max_tokens": 100, "tools": [{"name": "Write"}], "messages": [{"role": "user", "content": "Hi"}]}`
	for range 2 {
		resp, err := http.Post(srv.URL()+"/v1/messages", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	for _, r := range srv.Requests() {
		fmt.Println(r.From, r.Text, r.Turn, r.Status)
	}
	fmt.Println("unused:", srv.Unused())
	// Output:
	// main Hi 1 529
	// main Hi 2 200
	// unused: []
}
