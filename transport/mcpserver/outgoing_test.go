package mcpserver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestProgressReachesTheCLIBeforeTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCLI(t, New(newServer(nil, map[string]tool{"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
			return r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 2})
		}}), quiet))
		c.shake()
		c.say(peertest.MCPCallTool(`2`, "work"))
		if len(c.out) != 1 {
			t.Fatalf("%d messages were there with the result", len(c.out))
		}
		wantText(t, c.next(), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":2}}`)
	})
}

func TestChangedToolListIsAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"greet": plain})
		c := newCLI(t, New(server, quiet))
		c.shake()
		c.shake() // the session before must not announce it again
		server.RemoveTools("greet")
		time.Sleep(time.Second)
		if got := c.next(); codec.Raw(got).Find("/method").String() != `"notifications/tools/list_changed"` {
			t.Errorf("sent %s", got)
		}
		c.nothing()
	})
}

func TestAnswerOfTheCLIReachesWhoAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan error, 1)
		c := newCLI(t, New(newServer(nil, map[string]tool{"ask": func(ctx context.Context, r *mcp.CallToolRequest) error {
			answers <- r.Session.Ping(ctx, nil)
			return nil
		}}), quiet))
		c.shake()
		for _, test := range []struct{ answer, err string }{
			{`"result":{}`, ""},
			{`"error":{"code":-32601,"message":"no such method"}`, "no such method"},
		} {
			reply := c.begin(t.Context(), peertest.MCPCallTool(`2`, "ask"))
			ping := c.next()
			if codec.Raw(ping).Find("/method").String() != `"ping"` {
				t.Fatalf("sent %s", ping)
			}
			if len(answers) > 0 {
				t.Fatal("the ping ended without an answer")
			}
			response := `{"jsonrpc":"2.0","id":` + codec.Raw(ping).Find("/id").String() + `,` + test.answer + `}`
			if got := c.say(response); got != `{}` {
				t.Errorf("response: %s", got)
			}
			if err := <-answers; test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("Ping = %v, want %q", err, test.err)
			}
			<-reply
			c.say(response) // a second one has no effect
		}
	})
}

// The ids of the go-sdk start from 1 in each session of a server.
func TestAnswersOfTwoServerSessionsAreNotMixedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan string, 2)
		c := newCLI(t, New(newServer(nil, map[string]tool{"ask": func(ctx context.Context, r *mcp.CallToolRequest) error {
			result, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which number?"})
			if err == nil {
				answers <- r.Params.GetMeta()["who"].(string) + result.Content["number"].(string)
			}
			return err
		}}), quiet))
		ask := func(who string) (<-chan string, string) {
			c.say(strings.Replace(peertest.MCPInitialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
			reply := c.begin(t.Context(), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","_meta":{"who":"`+who+`"}}}`)
			return reply, codec.Raw(c.next()).Find("/id").String()
		}
		first, firstID := ask("first")
		second, secondID := ask("second")
		if firstID == secondID {
			t.Fatalf("both asked with the id %s", firstID)
		}
		c.say(`{"jsonrpc":"2.0","id":` + secondID + `,"result":{"action":"accept","content":{"number":"2"}}}`)
		<-second
		c.say(`{"jsonrpc":"2.0","id":` + firstID + `,"result":{"action":"accept","content":{"number":"1"}}}`)
		<-first
		if a, b := <-answers, <-answers; a != "second2" || b != "first1" {
			t.Errorf("got %s and %s", a, b)
		}
	})
}

func TestRequestThatTheServerGivesUpIsCancelledWithItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCLI(t, New(newServer(nil, map[string]tool{"ask": func(ctx context.Context, r *mcp.CallToolRequest) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return r.Session.Ping(ctx, nil)
		}}), quiet))
		for range 2 { // the second session's own ids start from 1 again
			c.shake()
			reply := c.begin(t.Context(), peertest.MCPCallTool(`2`, "ask"))
			id := codec.Raw(c.next()).Find("/id").String()
			<-reply
			if got := c.next(); codec.Raw(got).Find("/params/requestId").String() != id || !strings.Contains(got, "notifications/cancelled") {
				t.Errorf("sent %s after the ping %s", got, id)
			}
			c.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`) // too late
		}
	})
}

func TestMessageThatTheCLIRefusesIsAnErrorForTheSenderAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failures := make(chan error, 2)
		c := newCLI(t, New(newServer(nil, map[string]tool{
			"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
				failures <- r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 1})
				failures <- r.Session.Ping(ctx, nil)
				return nil
			},
		}), quiet))
		c.shake()
		c.refuse = errRefused
		for range 2 {
			wantText(t, c.say(peertest.MCPCallTool(`2`, "work")), textReply(`2`, "work"))
			for range 2 {
				if err := <-failures; err == nil || !strings.Contains(err.Error(), "mcp_message: no") {
					t.Errorf("got the error %v", err)
				}
			}
		}
	})
}

func TestHandlerThatWasNotStartedSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := make(chan error, 1)
		h := New(newServer(nil, map[string]tool{"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
			failure <- r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 1})
			return nil
		}}), nil)
		defer h.Close()
		reply, err := h.ConnectMCP(t.Context(), nil).HandleMCP(t.Context(), codec.Raw(peertest.MCPCallTool(`2`, "work")))
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, reply.String(), textReply(`2`, "work"))
		if err := <-failure; err == nil || !strings.Contains(err.Error(), errNotStarted.Error()) {
			t.Errorf("NotifyProgress = %v", err)
		}
	})
}
