//go:build live

package transport_test

import (
	"errors"
	"path"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport"
)

// notAsked are the requests that [TestLiveCLIKnowsTheRequestsOfTheSchemas] leaves out, with the
// reason.
var notAsked = map[string]string{
	"end_session": "ends the session that is asked",
	"initialize":  "the session was opened with it",
}

// unsupported reports whether the CLI refuses a subtype as one that it does not know.
func (l *live) unsupported(subtype string) bool {
	_, err := l.Call(l.ctx, &wire.UnknownRequest{Raw: codec.Raw(`{"subtype":"` + subtype + `"}`)})
	var refusal *transport.CallError
	if err != nil && !errors.As(err, &refusal) {
		l.Fatalf("%s: %v", subtype, err)
	}
	return refusal != nil && refusal.Response.ErrorCode != nil && *refusal.Response.ErrorCode == wire.ErrorResponseErrorCodeUnsupportedRequest
}

func TestLiveCLIKnowsTheRequestsOfTheSchemas(t *testing.T) {
	l := openLive(t, nil, says())
	if !l.unsupported("no_such_request") {
		t.Error("a made-up request is not refused")
	}
	for _, d := range schema.Default().Definitions() {
		subtype := strings.TrimSuffix(path.Base(d.File), ".json")
		if !d.IsRequest() || d.Direction == "cli-to-sdk" || notAsked[subtype] != "" {
			continue
		}
		known := d.Evidence == "observed" || d.Evidence == "recognised"
		if refused := l.unsupported(subtype); known && refused {
			t.Errorf("%s is said to be %s, but the CLI refuses it", subtype, d.Evidence)
		} else if !known && !refused {
			t.Errorf("%s is said to be %s, but the CLI knows it", subtype, d.Evidence)
		}
	}
}
