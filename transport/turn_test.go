package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// collect reads a turn to its end and says in words what came.
func collect(turn *Turn) (words []string, last error) {
	for f, err := range turn.Messages() {
		switch {
		case err != nil:
			last = err
		case isResult(f):
			words = append(words, "result "+(&Result{Frame: f}).Text())
		default:
			words = append(words, f.Type())
		}
	}
	return words, last
}

// sayLater lets the CLI say each line when everything else waits.
func sayLater(f *memoryCLI, lines ...string) {
	go func() {
		for _, line := range lines {
			synctest.Wait()
			f.Say(line)
		}
	}()
}

// wantPrompt checks a user message and returns its uuid.
func wantPrompt(t testing.TB, line, text string) (uuid string) {
	t.Helper()
	user, ok := peertest.Decode(t, line).(*wire.User)
	if !ok || *user.Message.Content.Text != text || user.UUID == nil {
		t.Fatalf("sent %.200s, want the prompt %.100q", line, text)
	}
	return *user.UUID
}

func TestATurnIsEverythingUpToTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		for _, prompt := range []string{"one", "two"} {
			turn := s.Turn(t.Context(), prompt)
			f.Nothing() // before it is used
			go func() {
				wantPrompt(t, f.One(), prompt)
				f.Say(peertest.KeepAliveLine, `{"type":"brand_new"}`, peertest.ResultLine(prompt))
			}()
			words, err := collect(turn)
			if diff := cmp.Diff([]string{"keep_alive", "brand_new", "result " + prompt}, words); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
			if r, err := turn.Result(); err != nil || r.Text() != prompt {
				t.Errorf("result = %+v, %v", r, err)
			}
			if words, err := collect(turn); len(words) > 0 || err != nil {
				t.Errorf("after the end: %q, %v", words, err)
			}
		}
	})
}

// resultLine is a result with members of its own.
func resultLine(members string) string {
	return `{"type":"result","duration_ms":1,"duration_api_ms":1,"num_turns":1,"session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},` +
		`"permission_denials":[],"uuid":"u",` + members + `}`
}

func TestATurnWhoseCostIsUnknownIsAGoodOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		sayLater(f, strings.Replace(peertest.ResultLine("fine"), `"total_cost_usd":`, `"total_cost_usd":null,"cost":`, 1))
		if r, err := s.Turn(t.Context(), "x").Result(); err != nil || r.Text() != "fine" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

func TestATurnFailsIfItsResultDoes(t *testing.T) {
	tests := []struct {
		name, line string
		status     int
		subtype    string
		says       string
	}{
		{"success with is_error", resultLine(`"subtype":"success","is_error":true,"result":"API Error: 401 invalid x-api-key","api_error_status":401`), 401, "", "the turn failed: status 401 of the API: API Error: 401 invalid x-api-key"},
		{"success with is_error and nothing else", resultLine(`"subtype":"success","is_error":true,"result":""`), 0, "", "the turn failed"},
		{"error subtype", resultLine(`"subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (1)"]`), 0, "error_max_turns", "the turn reached the limit of turns: error_max_turns: Reached maximum number of turns (1)"},
		{"error subtype of an old CLI", resultLine(`"subtype":"error_during_execution","is_error":false`), 0, "error_during_execution", "the turn was interrupted: error_during_execution"},
		{"long text", resultLine(`"subtype":"success","is_error":true,"result":"` + strings.Repeat("é", 5000) + `"`), 0, "", "the turn failed: " + strings.Repeat("é", maxQuotedResult/2)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				turn := s.Turn(t.Context(), "x")
				sayLater(f, test.line)
				words, err := collect(turn)
				var failed *TurnError
				if len(words) != 1 || !errors.As(err, &failed) || failed.Status != test.status || failed.Subtype != test.subtype || err.Error() != test.says {
					t.Fatalf("%q, then %v", words, err)
				}
				r, again := turn.Result()
				if again != err || r != failed.Result || r.Frame == nil {
					t.Errorf("result = %+v, %v", r, again)
				}
				wantState(t, s, Running)
			})
		})
	}
}

func TestAResultThatCannotBeReadEndsTheTurn(t *testing.T) {
	tests := []struct{ name, line, says string }{
		{"no subtype", `{"type":"result"}`, "the result cannot be read: "},
		{"not JSON", `{"type":"result","subtype":"success","result":"\x"}`, "the result cannot be read: "},
		{"over the limit", resultLine(`"subtype":"success","is_error":false,"result":"` + strings.Repeat("x", 2000) + `"`), "line too long"},
		{"unknown subtype", resultLine(`"subtype":"brand_new","is_error":false`), "the turn failed: brand_new"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, &Options{Limits: Limits{Line: 1000}})
				sayLater(f, test.line)
				r, err := s.Turn(t.Context(), "x").Result()
				var failed *TurnError
				if !errors.As(err, &failed) || r == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("result = %+v, %v", r, err)
				}
				wantState(t, s, Running)
			})
		})
	}
}

func TestAResultThatLacksMembersEndsTheTurn(t *testing.T) {
	for _, line := range []string{`{"type":"result","subtype":"success"}`, resultLine(`"subtype":"success","is_error":5,"result":"x"`)} {
		synctest.Test(t, func(t *testing.T) {
			s, f := running(t, nil)
			sayLater(f, line)
			r, err := s.Turn(t.Context(), "x").Result()
			if _, ok := r.Frame.(*wire.ResultSuccess); err != nil || !ok {
				t.Errorf("%s: result = %+v, %v", line, r, err)
			}
			wantState(t, s, Running)
		})
	}
}

func TestATurnFailsWithTheSession(t *testing.T) {
	tests := []struct {
		name string
		end  func(*Session, *memoryCLI)
		is   []error
	}{
		{"crash", func(_ *Session, f *memoryCLI) { f.die(3, "boom\n") }, nil},
		{"exit with code 0", func(_ *Session, f *memoryCLI) { f.die(0, "") }, []error{ErrNoResult}},
		{"close", func(s *Session, _ *memoryCLI) { s.Close() }, []error{ErrNoResult, ErrClosed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				go func() {
					synctest.Wait()
					test.end(s, f)
				}()
				_, err := s.Turn(t.Context(), "x").Result()
				for _, target := range test.is {
					if !errors.Is(err, target) {
						t.Errorf("error is %v, want %v", err, target)
					}
				}
				var exit *ExitError
				if test.is == nil && (!errors.As(err, &exit) || exit.Code != 3) {
					t.Errorf("error is %v", err)
				}
				<-s.Done()
			})
		})
	}
}

func TestATurnEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		turn := s.Turn(ctx, "one")
		go func() {
			synctest.Wait()
			cancel()
		}()
		if r, err := turn.Result(); r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("result = %v, %v", r, err)
		}
		if got := f.Sent(); len(got) == 2 {
			wantPrompt(t, got[0], "one")
			wantInterrupt(t, got[1])
		} else {
			t.Errorf("sent %q", got)
		}
		if _, err := s.Turn(ctx, "never sent").Result(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		f.Nothing()
	})
}

// A loop that was left does not make the next turn end early.
func TestATurnSkipsWhatIsLeftOfTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		sayLater(f, peertest.KeepAliveLine)
		for range s.Turn(t.Context(), "one").Messages() {
			break
		}
		f.One()
		two := s.Turn(t.Context(), "two")
		go func() {
			f.Nothing() // before the result of the first one
			f.Say(peertest.KeepAliveLine, peertest.ResultLine("one"))
			wantPrompt(t, f.One(), "two")
			f.Say(peertest.ResultLine("two"))
		}()
		words, err := collect(two)
		if diff := cmp.Diff([]string{"result two"}, words); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
	})
}

// A CLI begins turns by itself, for agents in the background.
func TestATurnSkipsTurnsThatTheCLIBegan(t *testing.T) {
	lifecycle := func(uuid, state string) string {
		return `{"type":"command_lifecycle","command_uuid":"` + uuid + `","state":"` + state + `","uuid":"u","session_id":"s"}`
	}
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		f.Say(initLine, peertest.ResultLine("nobody asked"), peertest.KeepAliveLine)
		synctest.Wait()
		go func() {
			synctest.Wait()
			id := wantPrompt(t, f.One(), "one")
			f.Say(lifecycle(id, "queued"), assistantLine("1", "null", "", "not this"), peertest.ResultLine("not this"),
				lifecycle("another", "started"), lifecycle(id, "started"), peertest.ResultLine("one"))
		}()
		words, err := collect(s.Turn(t.Context(), "one"))
		if diff := cmp.Diff([]string{"keep_alive", "command_lifecycle", "result one"}, words); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
		go func() {
			synctest.Wait()
			f.Say(lifecycle(wantPrompt(t, f.One(), "two"), "cancelled"))
		}()
		if r, err := s.Turn(t.Context(), "two").Result(); r != nil || err != errPromptCancelled {
			t.Errorf("a prompt that was cancelled: %v, %v", r, err)
		}
		go func() {
			synctest.Wait()
			id := wantPrompt(t, f.One(), "three")
			f.Say(peertest.ResultLine("was on its way"), lifecycle(id, "queued"), lifecycle(id, "started"), peertest.ResultLine("three"))
		}()
		if r, err := s.Turn(t.Context(), "three").Result(); err != nil || r.Text() != "three" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

// Messages that nobody reads may be dropped, and results among them: no turn waits for these.
func TestATurnDoesNotWaitForADroppedResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{WhenFull: DropOldest, Limits: Limits{Messages: 2}})
		sayLater(f, peertest.KeepAliveLine)
		for range s.Turn(t.Context(), "one").Messages() {
			break
		}
		f.Say(peertest.ResultLine("one"), peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine)
		synctest.Wait()
		sayLater(f, peertest.ResultLine("two"))
		if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

// The context of a turn ends while its prompt is being written: there will be a result of it.
func TestATurnSkipsTheOneBeforeWhosePromptWasOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		f.Pause() // after the next line
		if err := s.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := s.Turn(ctx, "one").Result(); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v", err)
		}
		f.Resume()
		if got := f.Sent(); len(got) == 3 {
			wantPrompt(t, got[1], "one")
			wantInterrupt(t, got[2])
		} else {
			t.Errorf("sent %q", got)
		}
		sayLater(f, peertest.ResultLine("one"), peertest.ResultLine("two"))
		if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

// wantInterrupt checks a line that was sent and returns its id.
func wantInterrupt(t *testing.T, line string) string {
	t.Helper()
	r, ok := peertest.Decode(t, line).(*wire.ControlRequest)
	if ok {
		_, ok = r.Request.(*wire.InterruptRequest)
	}
	if !ok {
		t.Fatalf("sent %s", line)
	}
	return r.RequestID
}

// The CLI does not work on a turn that nobody waits for, whether its loop goes on or was left.
func TestTheEndOfItsContextInterruptsATurn(t *testing.T) {
	for name, leave := range map[string]bool{"in its loop": false, "after its loop": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				ctx, cancel := context.WithCancel(t.Context())
				sayLater(f, peertest.KeepAliveLine)
				for range s.Turn(ctx, "one").Messages() {
					if leave {
						break
					}
					cancel()
				}
				cancel()
				sent := f.Sent()
				if len(sent) != 2 {
					t.Fatalf("sent %q", sent)
				}
				f.Say(peertest.SuccessLine(wantInterrupt(t, sent[1]), ""), resultLine(`"subtype":"success","is_error":false,"result":"","terminal_reason":"aborted_streaming"`))
				sayLater(f, peertest.ResultLine("two"))
				if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
					t.Errorf("result = %v, %v", r, err)
				}
			})
		})
	}
}

// A prompt that waits for a turn that the CLI began is taken back, and that turn goes on.
func TestTheEndOfItsContextTakesBackAPromptThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var id string
		go func() {
			synctest.Wait()
			id = wantPrompt(t, f.One(), "one")
			f.Say(`{"type":"command_lifecycle","command_uuid":"` + id + `","state":"queued","uuid":"u","session_id":"s"}`)
			synctest.Wait()
			cancel()
		}()
		if _, err := s.Turn(ctx, "one").Result(); err != context.Canceled {
			t.Errorf("error = %v", err)
		}
		line := f.One()
		r, _ := peertest.Decode(t, line).(*wire.ControlRequest)
		if c, ok := r.Request.(*wire.CancelAsyncMessageRequest); !ok || c.MessageUUID != id {
			t.Fatalf("sent %s", line)
		}
		f.Say(peertest.SuccessLine(r.RequestID, `{"cancelled":false}`)) // it has just begun
		wantInterrupt(t, f.One())
	})
}

func TestTheEndOfItsContextDoesNotInterruptTheNextTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		sayLater(f, peertest.ResultLine("one"))
		if _, err := s.Turn(ctx, "one").Result(); err != nil {
			t.Fatal(err)
		}
		sayLater(f, peertest.KeepAliveLine)
		for range s.Turn(t.Context(), "two").Messages() {
			break
		}
		f.Sent() // the prompts
		cancel()
		f.Nothing()
	})
}

// A result that was dropped does not come any more: the turn says so, and the next one goes on.
func TestATurnWhoseResultMayBeDroppedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{WhenFull: DropOldest, Limits: Limits{Messages: 2}})
		turn := s.Turn(t.Context(), "one")
		sayLater(f, peertest.KeepAliveLine)
		for range turn.Messages() {
			break
		}
		f.Say(peertest.ResultLine("one"), peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine)
		synctest.Wait()
		_, err := turn.Result()
		var dropped *DroppedError
		if !errors.As(err, &dropped) || dropped.Messages != 2 || dropped.Results != 1 {
			t.Errorf("error = %+v", err)
		}
		sayLater(f, peertest.ResultLine("two"))
		if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

func TestATurnWithAUUIDThatWasSentBeforeIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		message := userMessage("one")
		message.UUID = wire.Ptr("11111111-2222-4333-8444-555555555555")
		sayLater(f, peertest.ResultLine("one"))
		if _, err := s.TurnOf(t.Context(), message).Result(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.TurnOf(t.Context(), message).Result(); !errors.Is(err, ErrRepeatedUUID) {
			t.Errorf("error = %v", err)
		}
		if err := s.Send(t.Context(), message); !errors.Is(err, ErrRepeatedUUID) {
			t.Errorf("Send = %v", err)
		}
		sayLater(f, peertest.ResultLine("two"))
		if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

func TestASessionRemembersTheLastUUIDs(t *testing.T) {
	var u uuids
	for i := range 3 * maxUUIDs {
		if !u.add(fmt.Sprint(i)) {
			t.Fatalf("%d was there before", i)
		}
	}
	if len(u.set) != maxUUIDs || len(u.list) != maxUUIDs {
		t.Errorf("%d are remembered, %d in the list", len(u.set), len(u.list))
	}
	if u.add(fmt.Sprint(2*maxUUIDs)) || !u.add("0") {
		t.Error("the last ones are not those that are remembered")
	}
}

func TestATurnWhoseUUIDIsInTheHistoryOfTheSessionSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		message := userMessage("one")
		message.UUID = wire.Ptr("11111111-2222-4333-8444-555555555555")
		lifecycle := func(id, state string) string {
			return `{"type":"command_lifecycle","command_uuid":"` + id + `","state":"` + state + `","uuid":"u","session_id":"s"}`
		}
		sayLater(f, lifecycle(*message.UUID, "completed"))
		if _, err := s.TurnOf(t.Context(), message).Result(); !errors.Is(err, ErrRepeatedUUID) {
			t.Errorf("error = %v", err)
		}
		f.One()
		turn := s.Turn(t.Context(), "two")
		go func() {
			id := wantPrompt(t, f.One(), "two")
			f.Say(lifecycle(id, "queued"))
			f.Say(lifecycle(id, "started"))
			f.Say(peertest.ResultLine("two"))
		}()
		if r, err := turn.Result(); err != nil || r.Text() != "two" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}

func TestAResultSaysWhatTheTurnTook(t *testing.T) {
	const members = `"session_id":"s1","total_cost_usd":0.25,"num_turns":3,"duration_ms":1500,"usage":{"input_tokens":7,"output_tokens":2}`
	for _, line := range []string{
		`{"type":"result","subtype":"success","is_error":false,"result":"yes",` + members + `}`,
		`{"type":"result","subtype":"error_max_turns","is_error":true,` + members + `}`,
	} {
		r := &Result{Frame: peertest.Decode(t, line)}
		if r.Session() != "s1" || r.Cost() != 0.25 || r.Turns() != 3 || r.Duration() != 1500*time.Millisecond || r.Tokens().OutputTokens != 2 {
			t.Errorf("%s: %q %v %d %v %+v", line, r.Session(), r.Cost(), r.Turns(), r.Duration(), r.Tokens())
		}
	}
	unreadable := &Result{Frame: wire.Unreadable([]byte(`{"type":"result"}`), io.ErrUnexpectedEOF)}
	if unreadable.Session() != "" || unreadable.Cost() != 0 || unreadable.Tokens() == nil {
		t.Error("a result that cannot be read says something")
	}
}

func TestResultReadsWhatALoopLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		turn := s.Turn(t.Context(), "one")
		sayLater(f, peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.ResultLine("one"))
		for range turn.Messages() {
			break
		}
		if r, err := turn.Result(); err != nil || r.Text() != "one" {
			t.Errorf("result = %+v, %v", r, err)
		}
	})
}

func TestATurnThatALaterOneOvertookSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		sayLater(f, peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.ResultLine("one"), peertest.ResultLine("two"))
		one := s.Turn(t.Context(), "one")
		for range one.Messages() {
			break
		}
		if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
			t.Errorf("the later one: %v, %v", r, err)
		}
		if _, err := one.Result(); err != ErrOvertaken {
			t.Errorf("the one that was left ended with %v", err)
		}
	})
}

func TestATurnInTheLoopOfAnotherTakesNothingFromIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		const count = maxDecoded + 10 // so that some wait as lines
		lines := slices.Repeat([]string{peertest.KeepAliveLine}, count)
		sayLater(f, append(lines, peertest.ResultLine("one"), peertest.ResultLine("two"))...)
		outer := s.Turn(t.Context(), "one")
		seen := 0
		for _, err := range outer.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen > 1 {
				continue
			}
			if r, err := s.Turn(t.Context(), "two").Result(); err != nil || r.Text() != "two" {
				t.Errorf("the inner one: %v, %v", r, err)
			}
		}
		if r, err := outer.Result(); err != nil || r.Text() != "one" || seen != count+1 {
			t.Errorf("the outer one: %v, %v after %d messages", r, err, seen)
		}
	})
}

func TestTurnsOfSeveralGoroutinesComeInTheOrderOfTheirFirstUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		const count = 4
		results := make(chan string, count)
		for i := range count {
			go func() {
				r, err := s.Turn(t.Context(), fmt.Sprint(i)).Result()
				results <- fmt.Sprintf("%s, %v", r.Text(), err)
			}()
			synctest.Wait() // it is used before the next one
		}
		for i := range count {
			synctest.Wait()
			wantPrompt(t, f.One(), fmt.Sprint(i))
			f.Say(peertest.ResultLine(fmt.Sprint(i)))
			if got := <-results; got != fmt.Sprintf("%d, <nil>", i) {
				t.Errorf("result %d is %s", i, got)
			}
		}
	})
}

func TestATurnThatWaitsForAnotherEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		first := make(chan error)
		go func() {
			_, err := s.Turn(t.Context(), "first").Result()
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Turn(ctx, "second").Result(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the one that waits: %v", err)
		}
		f.Say(peertest.ResultLine("first"))
		if err := <-first; err != nil {
			t.Errorf("the one before it: %v", err)
		}
	})
}

// Whoever begins a turn while another goroutine reads one waits, and nobody waits for ever.
func TestConcurrentTurnsAllEnd(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	done := make(chan error)
	const count = 20
	for i := range count {
		go func() {
			text := fmt.Sprint(i)
			r, err := s.Turn(patient(t), "echo "+text).Result()
			if err == nil && r.Text() != text {
				err = fmt.Errorf("turn %s has the result %s", text, r.Text())
			}
			done <- err
		}()
	}
	for range count {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestDroppedMessagesDoNotEndATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{WhenFull: DropOldest, Limits: Limits{Messages: 2}})
		first := true
		sayLater(f, peertest.KeepAliveLine)
		var dropped *DroppedError
		count := 0
		for _, err := range s.Turn(t.Context(), "x").Messages() {
			if first {
				first = false
				f.Say(peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.ResultLine("x"))
				synctest.Wait()
			}
			if err == nil {
				count++
			} else if !errors.As(err, &dropped) || dropped.Messages != 2 {
				t.Errorf("error = %v", err)
			}
		}
		if dropped == nil || count != 3 {
			t.Errorf("%d messages, %v", count, dropped)
		}
	})
}

func TestTurnOfSendsTheMessageAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		message := userMessage("x")
		message.UUID = wire.Ptr("u")
		sayLater(f, peertest.ResultLine("x"))
		if _, err := s.TurnOf(t.Context(), message).Result(); err != nil {
			t.Error(err)
		}
		if got := f.One(); !strings.Contains(got, `"uuid":"u"`) {
			t.Errorf("sent %s", got)
		}
		if _, err := s.TurnOf(t.Context(), nil).Result(); err == nil || err == io.EOF {
			t.Errorf("a turn of nothing: %v", err)
		}
	})
}
