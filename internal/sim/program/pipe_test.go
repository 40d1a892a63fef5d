package program

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
)

func TestAStreamThatTheSDKDoesNotReadIsNoted(t *testing.T) {
	for _, stream := range []string{"stdout", "stderr"} {
		t.Run(stream, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				log := new(journal.Log)
				st := watched(Streams{Stdout: w, Stderr: w}, log.Start("", nil, "", nil), func(Exit) {})
				go func() { // ends when the text is read
					out := io.Writer(st.Stdout)
					if stream == "stderr" {
						out = st.Stderr
					}
					_, _ = io.WriteString(out, "hello") // the pipe is not closed
				}()
				time.Sleep(blockedAfter - time.Millisecond)
				if list := log.Entries(); len(list) > 1 {
					t.Errorf("noted at once: %v", list)
				}
				time.Sleep(time.Second)
				list := log.Entries()
				if len(list) != 2 || list[1].Dir != journal.Blocked || list[1].Line != stream {
					t.Errorf("the log has %v", list)
				}
				if _, err := io.ReadFull(r, make([]byte, 5)); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
