package main

import (
	"testing"
	"time"
)

func TestThroughputIsSaidOfLongInputsOnly(t *testing.T) {
	for _, row := range []struct {
		bytes int64
		took  time.Duration
		want  string
	}{
		{0, time.Second, ""},
		{15e6, time.Second, ""},
		{500e6, 10 * time.Second, "500 MB in 10.0 s, 50 MB/s"},
	} {
		if got := throughput(row.bytes, row.took); got != row.want {
			t.Errorf("%d bytes: %q, want %q", row.bytes, got, row.want)
		}
	}
}
