package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errLogin says that a server wants a login.
var errLogin = errors.New("the server wants a login")

// maxBody is how much is read of an answer that is no message.
const maxBody = 64 << 10

// web is the way to a server behind a URL. It notes why a server refuses.
type web struct {
	mcp.Transport
	server   *server
	endpoint *url.URL
	client   *http.Client

	mu     sync.Mutex // guards the fields below
	status int        // of the first answer that is an error
	body   string
}

func newWeb(s *server) (*web, error) {
	endpoint, err := url.Parse(s.config.Text("url"))
	if err != nil || endpoint.Host == "" {
		return nil, fmt.Errorf("invalid URL: %q", s.config.Text("url"))
	}
	w := &web{server: s, endpoint: endpoint}
	w.client = &http.Client{Transport: w, Timeout: 10 * time.Minute}
	if s.kind() == "sse" {
		w.Transport = &mcp.SSEClientTransport{Endpoint: endpoint.String(), HTTPClient: w.client}
	} else {
		w.Transport = &mcp.StreamableClientTransport{Endpoint: endpoint.String(), HTTPClient: w.client, MaxRetries: -1}
	}
	return w, nil
}

// loopback is a transport that reaches this machine and nothing else.
var loopback = &http.Transport{
	DialContext: (&net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		host, _, err := net.SplitHostPort(address)
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			return fmt.Errorf("the simulated CLI connects to this machine only, not to %s", address)
		}
		return nil
	}}).DialContext,
}

// RoundTrip sends the headers of the configuration along, and notes errors.
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, m := range w.server.config.Object("headers") {
		r.Header.Set(m.Name, fmt.Sprint(m.Value))
	}
	resp, err := loopback.RoundTrip(r)
	if err != nil || resp.StatusCode < 400 || r.Method != http.MethodPost {
		return resp, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.status == 0 {
		w.status, w.body = resp.StatusCode, string(body)
	}
	return resp, err
}

// explain returns why a connection failed.
func (w *web) explain(ctx context.Context, err error) error {
	w.mu.Lock()
	status, body := w.status, w.body
	w.mu.Unlock()
	switch status {
	case 0:
		return errors.New(err.Error()) // not an error of the server
	case http.StatusUnauthorized:
		l, err := w.register(ctx)
		if err != nil {
			return err
		}
		w.server.change(func() { w.server.login = l })
		return errLogin
	case http.StatusForbidden:
		return errLogin
	}
	return fmt.Errorf("Error POSTing to endpoint: %s", body)
}

// login is what a user needs to log in at a server.
type login struct {
	authorize string // the address of the page
	client    string
	state     string // of the login that is under way, "" if none is
}

// register makes the CLI known to the server that is responsible for logins.
func (w *web) register(ctx context.Context) (*login, error) {
	origin := &url.URL{Scheme: w.endpoint.Scheme, Host: w.endpoint.Host}
	meta := struct {
		Authorize string `json:"authorization_endpoint"`
		Register  string `json:"registration_endpoint"`
	}{origin.JoinPath("authorize").String(), origin.JoinPath("register").String()}
	client := &http.Client{Transport: loopback, Timeout: 10 * time.Second}
	if status, body, err := send(ctx, client, http.MethodGet, origin.JoinPath(".well-known/oauth-authorization-server").String(), nil); err == nil && status == http.StatusOK {
		_ = json.Unmarshal(body, &meta) // what is missing keeps its usual place
	}
	request := []byte(`{"client_name":"Claude Code","redirect_uris":["http://localhost/callback"],"grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"token_endpoint_auth_method":"none"}`)
	status, body, err := send(ctx, client, http.MethodPost, meta.Register, request)
	if err != nil {
		return nil, err
	}
	if status >= 300 {
		return nil, fmt.Errorf("Dynamic Client Registration rejected (HTTP %d): %s", status, body) //lint:ignore ST1005 the CLI's words
	}
	var known struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal(body, &known); err != nil {
		return nil, err
	}
	return &login{authorize: meta.Authorize, client: known.ID}, nil
}

func send(ctx context.Context, client *http.Client, method, to string, body []byte) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody))
	return resp.StatusCode, body, err
}

// begin begins a login, and returns the address of the page for the user.
func (l *login) begin(callback string) string {
	secret := func() string {
		b := make([]byte, 32)
		rand.Read(b)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	l.state = secret()
	challenge := sha256.Sum256([]byte(secret()))
	// In the order of the CLI.
	return l.authorize + "?response_type=code&client_id=" + url.QueryEscape(l.client) +
		"&code_challenge=" + base64.RawURLEncoding.EncodeToString(challenge[:]) + "&code_challenge_method=S256" +
		"&redirect_uri=" + url.QueryEscape(callback) + "&state=" + l.state
}
