package transport

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// echoServer answers each request with its method.
var echoServer = MCPHandlerFunc(func(_ context.Context, message codec.Raw) (codec.Raw, error) {
	id := message.Find("/id")
	if id == nil {
		return nil, nil
	}
	return codec.Raw(`{"jsonrpc":"2.0","id":` + id.String() + `,"result":{"method":` + message.Find("/method").String() + `}}`), nil
})

func mcpRequest(message string) string {
	return `{"subtype":"mcp_message","server_name":"srv","message":` + message + `}`
}

func TestMCPMessagesAreRoutedByServerName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": echoServer, "other": MCPHandlerFunc(func(context.Context, codec.Raw) (codec.Raw, error) {
			t.Error("the wrong server")
			return nil, nil
		})}})
		f.Say(peertest.RequestLine("r", peertest.MCPBody))
		if got := f.One(); got != peertest.SuccessLine("r", `{"mcp_response":{"jsonrpc":"2.0","id":7,"result":{"method":"tools/list"}}}`) {
			t.Errorf("sent %s", got)
		}
	})
}

func TestMCPIsServedWhileInitializeIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, &Options{MCPServers: map[string]MCPServer{"srv": echoServer}})
		id := f.RequestID("initialize")
		for i, message := range []string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		} {
			f.Say(peertest.RequestLine("r", mcpRequest(message)))
			if got := f.One(); !strings.HasPrefix(got, `{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"mcp_response":{`) {
				t.Errorf("message %d: sent %s", i, got)
			}
		}
		f.Say(peertest.SuccessLine(id, `{"pid":1}`))
		synctest.Wait()
		if s.Initialized() == nil {
			t.Error("the answer was lost")
		}
	})
}

// A success without a response member breaks the CLI's handshake.
func TestMCPNotificationsAreAnsweredWithAResponseMember(t *testing.T) {
	failing := MCPHandlerFunc(func(context.Context, codec.Raw) (codec.Raw, error) { return nil, errBoom })
	for _, server := range []MCPServer{echoServer, failing} {
		for _, message := range []string{
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"jsonrpc":"2.0","id":3,"result":{}}`, // an answer from the CLI to a request from the server
		} {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
				f.Say(peertest.RequestLine("r", mcpRequest(message)))
				if got := f.One(); got != peertest.SuccessLine("r", `{"mcp_response":{}}`) {
					t.Errorf("sent %s", got)
				}
			})
		}
	}
}

func TestMCPFailuresAreJSONRPCErrorsWithTheRequestsID(t *testing.T) {
	cases := failures(codec.Raw(`{`))
	for _, reply := range []string{`{"jsonrpc":"2.0","id":8,"result":{}}`, `{"jsonrpc":"2.0","result":{}}`, `[]`, `text`} {
		cases = append(cases, struct {
			name string
			call func(context.Context) (codec.Raw, error)
			is   error
		}{"reply " + reply, func(context.Context) (codec.Raw, error) { return codec.Raw(reply), nil }, nil})
	}
	for _, failure := range cases {
		for _, id := range []string{`7`, `"seven"`} {
			t.Run(failure.name+" "+id, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, f := running(t, &Options{CallbackTimeouts: CallbackTimeouts{MCP: time.Minute}, MCPServers: map[string]MCPServer{
						"srv": MCPHandlerFunc(func(ctx context.Context, _ codec.Raw) (codec.Raw, error) { return failure.call(ctx) }),
					}})
					f.Say(peertest.RequestLine("r", mcpRequest(`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call"}`)))
					if errors.Is(failure.is, errCallbackOut) {
						f.Nothing()
						time.Sleep(time.Minute)
					}
					got := f.One()
					if !strings.HasPrefix(got, strings.TrimSuffix(peertest.SuccessLine("r", `{"mcp_response":{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32603,"message":"`), "}}")) {
						t.Errorf("sent %s", got)
					}
					e := only[*CallbackEvent](t, s.events)
					if failure.is != nil && !errors.Is(e.Err, failure.is) {
						t.Errorf("event = %+v", e)
					}
					time.Sleep(2 * time.Hour)
					f.Nothing()
				})
			})
		}
	}
}

func TestUnknownMCPServerIsAJSONRPCError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, nil)
		f.Say(peertest.RequestLine("r", peertest.MCPBody))
		if got := f.One(); got != peertest.SuccessLine("r", `{"mcp_response":{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"there is no MCP server \"srv\""}}}`) {
			t.Errorf("sent %s", got)
		}
	})
}

func TestMCPHandlerHasNoTimeoutByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": MCPHandlerFunc(func(ctx context.Context, message codec.Raw) (codec.Raw, error) {
			time.Sleep(24 * time.Hour)
			return echoServer(ctx, message)
		})}})
		f.Say(peertest.RequestLine("r", peertest.MCPBody))
		f.Nothing()
		time.Sleep(24 * time.Hour)
		if got := f.One(); !strings.Contains(got, `"result"`) {
			t.Errorf("sent %s", got)
		}
	})
}

// startedServer is a server that sends by itself.
type startedServer struct {
	MCPHandlerFunc
	send  func(context.Context, codec.Raw) error
	ended <-chan struct{}
}

func (s *startedServer) ConnectMCP(ctx context.Context, send func(context.Context, codec.Raw) error) MCPHandler {
	s.send, s.ended = send, ctx.Done()
	return s
}

func TestMCPServerSendsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &startedServer{MCPHandlerFunc: echoServer}
		s, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
		sent := make(chan error, 1)
		go func() {
			sent <- server.send(t.Context(), codec.Raw(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
		}()
		line := f.One()
		r := peertest.Decode(t, line).(*wire.ControlRequest)
		if m, ok := r.Request.(*wire.MCPMessageRequest); !ok || m.ServerName != "srv" {
			t.Errorf("sent %s", line)
		}
		f.Say(peertest.SuccessLine(r.RequestID, ""))
		if err := <-sent; err != nil {
			t.Error(err)
		}
		s.Close()
		<-server.ended
	})
}

// orderedServer notes the methods of the messages in the order in which it receives them. Some
// methods make it fail or wait.
type orderedServer struct {
	MCPHandlerFunc
	received []string // no mutex: messages are received one after the other
	release  chan struct{}
}

func (o *orderedServer) ConnectMCP(context.Context, func(context.Context, codec.Raw) error) MCPHandler {
	return o
}

func (o *orderedServer) ReceiveMCP(ctx context.Context, message codec.Raw) func() (codec.Raw, error) {
	method, _ := message.Find("/method").Text()
	o.received = append(o.received, method)
	switch method {
	case "panic":
		panic("boom")
	case "goexit":
		runtime.Goexit()
	case "wait":
		return func() (codec.Raw, error) {
			<-o.release
			return echoServer(ctx, message)
		}
	case "hold":
		<-o.release
	case "nil":
		return nil
	}
	return func() (codec.Raw, error) { return echoServer(ctx, message) }
}

func TestMCPReceiverGetsTheMessagesInTheOrderOfTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &orderedServer{release: make(chan struct{})}
		_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
		methods := []string{"wait", "panic", "goexit", "nil"}
		for i := len(methods); i < 30; i++ {
			methods = append(methods, "m"+strconv.Itoa(i))
		}
		var lines []string
		for i, method := range methods {
			lines = append(lines, peertest.RequestLine("r"+strconv.Itoa(i), mcpRequest(`{"jsonrpc":"2.0","id":`+strconv.Itoa(i)+`,"method":"`+method+`"}`)))
		}
		f.Say(strings.Join(lines, "\n"))
		answers := f.Sent()
		if diff := cmp.Diff(methods, server.received); diff != "" {
			t.Errorf("received (-want +got):\n%s", diff)
		}
		if want := len(methods) - 1; len(answers) != want {
			t.Errorf("%d answers, want %d: all but the one that waits", len(answers), want)
		}
		for _, method := range []string{"panic", "goexit", "nil"} {
			id := `"id":` + strconv.Itoa(slices.Index(methods, method)) + `,"error":{"code":-32603,`
			if !slices.ContainsFunc(answers, func(a string) bool { return strings.Contains(a, id) }) {
				t.Errorf("%s is not answered with a JSON-RPC error: %q", method, answers)
			}
		}
		close(server.release)
		if got := f.One(); got != peertest.SuccessLine("r0", `{"mcp_response":{"jsonrpc":"2.0","id":0,"result":{"method":"wait"}}}`) {
			t.Errorf("sent %s", got)
		}
	})
}

// A cancellation reaches the server although more calls run than there are slots.
func TestMCPNotificationsDoNotWaitForCalls(t *testing.T) {
	const notification = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	call := func(n int) string {
		return peertest.RequestLine("r"+strconv.Itoa(n), mcpRequest(`{"jsonrpc":"2.0","id":`+strconv.Itoa(n)+`,"method":"wait"}`))
	}
	t.Run("handler", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cancelled := make(chan struct{})
			_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": MCPHandlerFunc(func(ctx context.Context, message codec.Raw) (codec.Raw, error) {
				if message.Find("/id") == nil {
					close(cancelled)
				}
				<-cancelled
				return echoServer(ctx, message)
			})}})
			for i := range 100 {
				f.Say(call(i))
			}
			f.Nothing()
			f.Say(peertest.RequestLine("n", mcpRequest(notification)))
			if lines := f.Sent(); len(lines) != 101 {
				t.Errorf("%d answers", len(lines))
			}
		})
	})
	t.Run("receiver", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			server := &orderedServer{release: make(chan struct{})}
			_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
			for i := range 100 {
				f.Say(call(i))
			}
			f.Say(peertest.RequestLine("n", mcpRequest(notification)))
			f.One()
			if got := server.received[len(server.received)-1]; got != "notifications/cancelled" {
				t.Errorf("the last message is %s", got)
			}
			close(server.release)
			if lines := f.Sent(); len(lines) != 100 {
				t.Errorf("%d answers", len(lines))
			}
		})
	})
}

// Messages after one that the server does not take in end with the session.
func TestMCPMessagesThatWaitEndWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &orderedServer{release: make(chan struct{})}
		s, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
		for i, method := range []string{"hold", "a", "b", "c"} {
			f.Say(peertest.RequestLine("r"+strconv.Itoa(i), mcpRequest(`{"jsonrpc":"2.0","id":`+strconv.Itoa(i)+`,"method":"`+method+`"}`)))
		}
		f.Nothing()
		s.Close()
		wantIdle(t, s.conn)
		close(server.release)
		synctest.Wait()
		if len(server.received) != 1 {
			t.Errorf("received %q", server.received)
		}
	})
}

// A server that does not take a message in keeps nothing of those that the CLI has cancelled.
func TestMCPServerForgetsMessagesThatWereCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &orderedServer{release: make(chan struct{})}
		s, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server}})
		f.Say(peertest.RequestLine("hold", mcpRequest(`{"jsonrpc":"2.0","id":0,"method":"hold"}`)))
		synctest.Wait()
		for i := range 100 {
			id := "r" + strconv.Itoa(i)
			f.Say(peertest.RequestLine(id, mcpRequest(`{"jsonrpc":"2.0","id":1,"method":"m"}`)), peertest.CancelLine(id))
		}
		synctest.Wait()
		if kept := s.conn.role.(sessionRole).servers["srv"].queue.Len(); kept > 0 {
			t.Errorf("%d messages are kept", kept)
		}
		close(server.release)
		f.Sent()
		if len(server.received) != 1 {
			t.Errorf("received %q", server.received)
		}
	})
}

// A server that is stuck keeps no call that was withdrawn: the memory stays below its limit,
// however many there were.
func TestStuckMCPServerKeepsNoMemoryOfWithdrawnCalls(t *testing.T) {
	const calls, size = 700, 128 << 10 // 87 MiB
	release := make(chan struct{})
	for name, server := range map[string]func() MCPServer{
		"receiver": func() MCPServer { return &orderedServer{release: release} },
		"handler": func() MCPServer {
			return MCPHandlerFunc(func(context.Context, codec.Raw) (codec.Raw, error) {
				<-release
				return nil, nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release = make(chan struct{})
				defer close(release)
				_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": server()}})
				f.Say(peertest.RequestLine("hold", mcpRequest(`{"jsonrpc":"2.0","id":0,"method":"hold"}`)))
				body := mcpRequest(`{"jsonrpc":"2.0","id":1,"method":"m","params":"` + strings.Repeat("x", size) + `"}`)
				synctest.Wait()
				before := heap()
				for i := range calls {
					id := "r" + strconv.Itoa(i)
					f.Say(peertest.RequestLine(id, body), peertest.CancelLine(id))
				}
				synctest.Wait()
				if after := heap(); after > before+64<<20 {
					t.Errorf("%d withdrawn calls of %d KiB keep %d MiB", calls, size>>10, (after-before)>>20)
				} else {
					t.Logf("they keep %d KiB", (int64(after)-int64(before))>>10)
				}
			})
		})
	}
}

// badStarter is a server whose start fails or does not return.
type badStarter struct {
	MCPHandlerFunc
	start func()
}

func (s badStarter) ConnectMCP(context.Context, func(context.Context, codec.Raw) error) MCPHandler {
	s.start()
	return s
}

func TestMCPServerThatDoesNotStartHarmsNoOther(t *testing.T) {
	release := make(chan struct{})
	for name, start := range map[string]func(){"panic": func() { panic("boom") }, "block": func() { <-release }} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release = make(chan struct{})
				_, f := running(t, &Options{MCPServers: map[string]MCPServer{"srv": echoServer, "bad": badStarter{echoServer, start}}})
				f.Say(peertest.RequestLine("r", peertest.MCPBody))
				f.One()
				close(release)
			})
		})
	}
}

func TestMCPReceiverThatHoldsAMessageDelaysNoOtherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &orderedServer{release: make(chan struct{})}
		_, f := running(t, &Options{MCPServers: map[string]MCPServer{"other": server, "srv": &orderedServer{}}})
		f.Say(
			peertest.RequestLine("r1", `{"subtype":"mcp_message","server_name":"other","message":{"jsonrpc":"2.0","id":1,"method":"hold"}}`),
			peertest.RequestLine("r2", `{"subtype":"mcp_message","server_name":"other","message":{"jsonrpc":"2.0","id":2,"method":"m"}}`),
			peertest.RequestLine("r3", peertest.MCPBody))
		if got := f.One(); !strings.Contains(got, `"request_id":"r3"`) {
			t.Errorf("sent %s", got)
		}
		close(server.release)
		if got := f.Sent(); len(got) != 2 {
			t.Errorf("then sent %q", got)
		}
	})
}
