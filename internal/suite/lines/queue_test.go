package lines_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite/lines"
)

func TestEveryLineIsShownAndTakenOnce(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"whole lines", "a\n\nb\r\n", []string{"a", "", "b\r"}},
		{"a last line without its end", "a\nb", []string{"a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var shown, taken []string
			q := lines.Read(strings.NewReader(tt.text), func(line []byte) { shown = append(shown, string(line)) })
			for {
				line, err := q.Take(t.Context())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				taken = append(taken, string(line))
			}
			<-q.Done()
			if diff := cmp.Diff(tt.want, taken); diff != "" {
				t.Errorf("taken: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, shown); diff != "" {
				t.Errorf("shown: -want +got\n%s", diff)
			}
		})
	}
}

func TestTheWriterNeverWaitsAndTheReaderWaitsForItsContext(t *testing.T) {
	r, w := io.Pipe()
	q := lines.Read(r, nil)
	for range 1000 {
		if _, err := io.WriteString(w, "a line\n"); err != nil {
			t.Fatal(err)
		}
	}
	for range 1000 {
		if _, err := q.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := q.Take(ctx); err != cause {
		t.Errorf("got %v", err)
	}
	io.WriteString(w, "left\nover\n")
	w.Close()
	<-q.Done()
	if diff := cmp.Diff([][]byte{[]byte("left"), []byte("over")}, q.Waiting()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
