package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// An action writes a line, which ends with a line feed, in the way of a fault. It is called with
// the lock of the injector.
type action func(i *Injector, f *Fault, text []byte) error

// errGone is what a writer gets that is no longer there.
var errGone = errors.New("the process has ended")

func before(text string) action {
	return func(i *Injector, _ *Fault, line []byte) error {
		return i.write([]byte(text), line)
	}
}

// raw writes the value of the fault, in which %XX is a byte, before the line.
func raw(i *Injector, f *Fault, line []byte) error {
	return i.write(unescape(f.value), line)
}

// rawAfter is raw after the line.
func rawAfter(i *Injector, f *Fault, line []byte) error {
	return i.write(line, unescape(f.value))
}

// told writes the value of the fault to stderr.
func told(i *Injector, f *Fault, line []byte) error {
	_, _ = i.process.Stderr.Write(unescape(f.value)) // nobody may read it any more
	return i.write(line)
}

// unescape returns the bytes of a value that was checked.
func unescape(value string) []byte {
	text, _ := url.PathUnescape(value)
	return []byte(text)
}

func carriageReturn(i *Injector, _ *Fault, text []byte) error {
	return i.write(bytes.TrimSuffix(text, []byte("\n")), []byte("\r\n"))
}

// contentStart is where the blocks of a message begin.
const contentStart = `"content":[`

func hasContent(_ *Fault, text []byte) bool { return bytes.Contains(text, []byte(contentStart)) }

func unknownBlock(i *Injector, _ *Fault, text []byte) error {
	at := bytes.Index(text, []byte(contentStart)) + len(contentStart)
	block := `{"type":"ccwire_unknown","value":1}`
	if text[at] != ']' {
		block += ","
	}
	return i.write(text[:at], []byte(block), text[at:])
}

func unknownMember(i *Injector, _ *Fault, text []byte) error {
	return i.write(with(text, `"ccwire_unknown":{"a":[1,null]}`))
}

var eventName = regexp.MustCompile(`"hook_event_name":"[^"]*"`)

func hasEvent(_ *Fault, text []byte) bool { return eventName.Match(text) }

func unknownEvent(i *Injector, _ *Fault, text []byte) error {
	return i.write(eventName.ReplaceAll(text, []byte(`"hook_event_name":"CcwireUnknown"`)))
}

// A control request that no part of the CLI has made: its answer is dropped.
func request(i *Injector, body string) []byte {
	i.made++
	return fmt.Appendf(nil, `{"type":"control_request","request_id":"fault-%d","request":%s}`+"\n", i.made, body)
}

func unknownRequest(i *Injector, _ *Fault, text []byte) error {
	return i.write(request(i, `{"subtype":"ccwire_unknown","value":1}`), text)
}

func earlyRequest(i *Injector, _ *Fault, text []byte) error {
	ask := `{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash","input":{"command":"true"},"tool_use_id":"toolu_fault"}`
	return i.write(request(i, ask), text)
}

// pause is how long a line that comes in pieces waits between them.
const pause = 20 * time.Millisecond

func (i *Injector) pieces(first, second []byte) error {
	if err := i.write(first); err != nil {
		return err
	}
	time.Sleep(pause)
	return i.write(second)
}

func split(i *Injector, f *Fault, text []byte) error {
	at := min(f.number(len(text)/2), len(text))
	return i.pieces(text[:at], text[at:])
}

func splitCharacter(i *Injector, _ *Fault, text []byte) error {
	inside := func() int {
		return bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	}
	if inside() < 0 {
		text = with(text, `"ccwire_unknown":"Größe €"`)
	}
	at := max(inside(), 0) + 1
	return i.pieces(text[:at], text[at:])
}

func bytewise(i *Injector, _ *Fault, text []byte) error {
	for n := range text {
		if err := i.write(text[n : n+1]); err != nil {
			return err
		}
	}
	return nil
}

func long(i *Injector, f *Fault, text []byte) error {
	const member = `"ccwire_padding":""`
	if n := f.number(0) - len(text) - len(member) - len(","); n > 0 {
		text = with(text, strings.TrimSuffix(member, `"`)+strings.Repeat("x", n)+`"`)
	}
	return i.write(text)
}

func slow(i *Injector, f *Fault, text []byte) error {
	i.process.sleep(time.Duration(f.number(0)) * time.Millisecond)
	return i.write(text)
}

func flood(i *Injector, f *Fault, text []byte) error {
	if err := repeat(f.number(0), `{"type":"keep_alive"}`+"\n", i.write); err != nil {
		return err
	}
	return i.write(text)
}

func stderrFlood(i *Injector, f *Fault, text []byte) error {
	// Nobody may read stderr any more: the line is written all the same.
	_ = repeat(f.number(0), "a warning that nobody has asked for\n", func(parts ...[]byte) error {
		_, err := i.process.Stderr.Write(parts[0])
		return err
	})
	return i.write(text)
}

func stderrLong(i *Injector, f *Fault, text []byte) error {
	line := append(bytes.Repeat([]byte("x"), max(f.number(0)-1, 0)), '\n')
	_, _ = i.process.Stderr.Write(line) // as above
	return i.write(text)
}

// repeat writes text until size bytes were written, in blocks.
func repeat(size int, text string, write func(...[]byte) error) error {
	block := []byte(strings.Repeat(text, 1+(64<<10)/len(text)))
	for size > 0 {
		n := min(size, len(block))
		if n < len(block) {
			n += len(text) - n%len(text) // whole lines
		}
		if err := write(block[:min(n, len(block))]); err != nil {
			return err
		}
		size -= n
	}
	return nil
}

func again(i *Injector, f *Fault, text []byte) error {
	for range f.number(1) {
		if err := i.write(text); err != nil {
			return err
		}
	}
	return nil
}

func twice(i *Injector, _ *Fault, text []byte) error { return i.write(text, text) }

// late holds a line back until the next one, or for the time that the fault says.
func late(i *Injector, f *Fault, text []byte) error {
	i.held = append(i.held, bytes.Clone(text)...)
	i.late = time.AfterFunc(time.Duration(f.number(0))*time.Millisecond, i.release)
	return nil
}

func missing(*Injector, *Fault, []byte) error { return nil }

func contradicted(i *Injector, _ *Fault, text []byte) error { return i.write(text, refusal(text)) }

func refused(i *Injector, _ *Fault, text []byte) error { return i.write(refusal(text)) }

// refusal is an error in place of a response.
func refusal(text []byte) []byte {
	return fmt.Appendf(nil, `{"type":"control_response","response":{"subtype":"error","request_id":%s,"error":"refused by a fault"}}`+"\n",
		look(text).Response.RequestID)
}

func misaddressed(i *Injector, _ *Fault, text []byte) error {
	const name = `"request_id":`
	id := slices.Concat([]byte(name), look(text).Response.RequestID)
	return i.write(bytes.Replace(text, id, []byte(name+`"fault-nobody"`), 1))
}

func cancel(id json.RawMessage) []byte {
	return fmt.Appendf(nil, `{"type":"control_cancel_request","request_id":%s}`+"\n", id)
}

func cancelledResponse(i *Injector, _ *Fault, text []byte) error {
	return i.write(cancel(look(text).Response.RequestID), text)
}

func cancelBefore(i *Injector, _ *Fault, text []byte) error {
	return i.write(cancel(look(text).RequestID), text)
}

func cancelDuring(i *Injector, _ *Fault, text []byte) error {
	id := look(text).RequestID
	err := i.write(text, cancel(id))
	var name string
	if i.process.Withdraw != nil && json.Unmarshal(id, &name) == nil {
		i.process.Withdraw(name)
	}
	return err
}

func cancelAfter(i *Injector, _ *Fault, text []byte) error {
	i.cancelled[string(look(text).RequestID)] = true
	return i.write(text)
}

func halfLine(i *Injector, f *Fault, text []byte) error {
	if err := i.write(text[:len(text)/2]); err != nil {
		return err
	}
	return exit(i, f, nil)
}

func unterminated(i *Injector, f *Fault, text []byte) error {
	if err := i.write(bytes.TrimSuffix(text, []byte("\n"))); err != nil {
		return err
	}
	return exit(i, f, nil)
}

func exitAfter(i *Injector, f *Fault, text []byte) error {
	if err := i.write(text); err != nil {
		return err
	}
	return exit(i, f, nil)
}

func exit(i *Injector, f *Fault, _ []byte) error {
	i.gone = true
	i.process.Exit(f.number(1))
	return errGone
}

func kill(i *Injector, f *Fault, _ []byte) error {
	i.gone = true
	i.process.Kill(f.value)
	return errGone
}

func hang(i *Injector, _ *Fault, _ []byte) error {
	i.silent = true
	return nil
}

func stay(i *Injector, _ *Fault, text []byte) error {
	i.stays = true
	return i.write(text)
}

func closeStdout(i *Injector, _ *Fault, _ []byte) error {
	i.silent = true
	return i.process.CloseStdout()
}
