package apirun

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// Watch calls each, in a goroutine of its own, with every request that the server has answered, or
// holds by the script's order, until the server closes. What is not answered by then comes last;
// wait returns after that.
func Watch(srv *fakeapi.Server, each func(fakeapi.Request)) (wait func()) {
	var watching sync.WaitGroup
	watching.Go(func() { watch(srv, each) }) // ends when the server closes
	return watching.Wait
}

func watch(srv *fakeapi.Server, each func(fakeapi.Request)) {
	told := map[int]bool{}
	tell := func(all []fakeapi.Request, closed bool) (more bool) {
		for i, q := range all {
			if !told[i] && (closed || q.Outcome != fakeapi.Answering) {
				told[i], more = true, true
				each(q)
			}
		}
		return more
	}
	for srv.Wait(context.Background(), func(all []fakeapi.Request) bool { return tell(all, false) }) == nil {
	}
	tell(srv.Requests(), true)
}

// Line describes a request and its answer in one line.
func Line(q fakeapi.Request) string {
	what := q.Method + " " + q.Path
	if q.From != "" {
		what = string(q.From)
	}
	if q.Text != "" {
		what += " " + strconv.Quote(q.Text)
	}
	for _, r := range q.ToolResults {
		what += ", result of " + r.Tool
		if r.IsError {
			what += " (an error)"
		}
	}
	answer := string(q.Answer)
	switch {
	case q.Turn > 0:
		answer = fmt.Sprintf("turn %d", q.Turn)
	case q.Answer == fakeapi.Exhausted:
		answer = "no turn is left"
	}
	if q.Status != 200 && q.Status != 0 {
		answer += fmt.Sprintf(", status %d", q.Status)
	}
	if q.Outcome != fakeapi.Complete {
		answer += ", " + string(q.Outcome)
	}
	return what + ": " + answer
}

// Left says what of a script was not played, and what came after its end; "" if all was as it says.
func Left(srv *fakeapi.Server) string {
	var parts []string
	switch unused := srv.Unused(); len(unused) {
	case 0:
	case 1:
		parts = append(parts, fmt.Sprintf("turn %d was not asked for", unused[0]))
	default:
		parts = append(parts, fmt.Sprintf("turns %s were not asked for", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(unused)), ", "), "[]")))
	}
	after := 0
	for _, q := range srv.Requests() {
		if q.Answer == fakeapi.Exhausted {
			after++
		}
	}
	switch after {
	case 0:
	case 1:
		parts = append(parts, "1 request came when no turn was left")
	default:
		parts = append(parts, fmt.Sprintf("%d requests came when no turn was left", after))
	}
	return strings.Join(parts, "; ")
}
