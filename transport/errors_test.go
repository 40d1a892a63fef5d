package transport

import "testing"

func TestErrorsCountOneAndMany(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{&InputBusyError{Requests: 1}, "1 request from the peer is not answered yet; closing its input would fail it"},
		{&InputBusyError{Requests: 2}, "2 requests from the peer are not answered yet; closing its input would fail them"},
		{&DroppedError{Messages: 1}, "1 unread message was dropped"},
		{&DroppedError{Messages: 2}, "2 unread messages were dropped"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}
