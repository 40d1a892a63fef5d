package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestACLIThatIsLateIsAskedAgainForLonger(t *testing.T) {
	for _, test := range []struct {
		name    string
		takes   time.Duration
		refused string
	}{
		{"in time", 19 * time.Second, ""},
		{"at the second time", 50 * time.Second, ""},
		{"never", time.Hour, "cannot be judged: killed, the second time; that is a matter of time if the machine is busy"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := patiently(t.Context(), func(ctx context.Context) error {
					select {
					case <-time.After(test.takes):
						return nil
					case <-ctx.Done():
						return &NoCLIError{Path: "claude", Err: errors.New("killed")}
					}
				})
				if (err == nil) != (test.refused == "") || err != nil && !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}
