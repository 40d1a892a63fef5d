package fault

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/near"
)

// Row describes a fault.
type Row struct {
	Name     string
	Value    string // what stands after "=", "" for faults that take no value
	Where    string // where it happens if that is not said
	Sentence string

	do     action
	fits   func(f *Fault, text []byte) bool // whether the fault can happen at a line; nil: at each
	number bool                             // the value is a number
	code   bool                             // the number is an exit code
	text   bool                             // the value is a text
	path   bool                             // the value is the path of a member
	input  bool                             // WHERE is a line that the CLI reads
	preset string
}

// table has a row for each fault. The sentences are what --list-faults prints.
var table = []Row{
	{Name: "noise", Where: "line", Sentence: "Text that is not JSON comes before the line.", do: before("Debugger listening on ws://127.0.0.1:9229\n")},
	{Name: "raw", Value: "TEXT", Where: "line", Sentence: "TEXT is written before the line as it is, where %XX is a byte: %0A ends a line.", do: raw, text: true},
	{Name: "raw-after", Value: "TEXT", Where: "line", Sentence: "TEXT is written after the line as it is, where %XX is a byte.", do: rawAfter, text: true},
	{Name: "stderr", Value: "TEXT", Where: "line", Sentence: "TEXT is written to stderr before the line, where %XX is a byte.", do: told, text: true},
	{Name: "blank", Where: "line", Sentence: "Three blank lines come before the line, one of them of spaces.", do: before("\n   \n\n")},
	{Name: "cr", Where: "line#*", Sentence: "The line ends with a carriage return and a line feed.", do: carriageReturn},
	{Name: "unknown-type", Where: "line", Sentence: "A line of an unknown type comes before the line.", do: before(`{"type":"ccwire_unknown","value":{"a":[1,null]}}` + "\n")},
	{Name: "unknown-subtype", Where: "line", Sentence: "A system line of an unknown subtype comes before the line.", do: before(`{"type":"system","subtype":"ccwire_unknown","value":1}` + "\n")},
	{Name: "unknown-block", Where: "assistant", Sentence: "The content of the message begins with a block of an unknown type.", do: unknownBlock, fits: hasContent},
	{Name: "unknown-member", Where: "line#*", Sentence: "The line has a member that no SDK knows.", do: unknownMember},
	{Name: "unknown-request", Where: "line", Sentence: "A control request of an unknown subtype comes before the line.", do: unknownRequest},
	{Name: "unknown-event", Where: "control_request/hook_callback", Sentence: "The input of the hook names an event that no SDK knows.", do: unknownEvent, fits: hasEvent},
	{Name: "early-request", Where: "control_response/initialize", Sentence: "A permission is asked for before the reply to initialize.", do: earlyRequest},
	{Name: "split", Value: "BYTES", Where: "line", Sentence: "The line comes in two writes with a pause between them, BYTES in the first (half of it).", do: split, number: true},
	{Name: "split-character", Where: "line", Sentence: "The line comes in two writes, cut inside a character.", do: splitCharacter},
	{Name: "bytewise", Where: "line", Sentence: "Each byte of the line is a write of its own.", do: bytewise},
	{Name: "long", Value: "BYTES", Where: "line", Sentence: "The line is BYTES long (1000000).", do: long, number: true, preset: "1000000"},
	{Name: "slow", Value: "MS", Where: "line#*", Sentence: "MS milliseconds (20) pass before the line.", do: slow, number: true, preset: "20"},
	{Name: "flood", Value: "BYTES", Where: "line", Sentence: "BYTES (1000000) of keep_alive lines come before the line: a pipe that nobody reads is full.", do: flood, number: true, preset: "1000000"},
	{Name: "stderr-flood", Value: "BYTES", Where: "line", Sentence: "BYTES (1000000) of text are written to stderr before the line.", do: stderrFlood, number: true, preset: "1000000"},
	{Name: "stderr-long", Value: "BYTES", Where: "line", Sentence: "BYTES (1000000) are written to stderr before the line, as one line.", do: stderrLong, number: true, preset: "1000000"},
	{Name: "again", Value: "TIMES", Where: "line", Sentence: "The line comes TIMES (2).", do: again, number: true, preset: "2"},
	{Name: "drop", Where: "assistant", Sentence: "The line never comes.", do: missing},
	{Name: "swap", Value: "MS", Where: "assistant", Sentence: "The line and the one that follows it come in the other order; if none follows, the line comes after MS milliseconds (1000).", do: late, number: true, preset: "1000"},
	{Name: "remove", Value: "MEMBER", Where: "line", Sentence: "The line lacks MEMBER, such as message.usage or message.content.0.text; lines without it do not count.", do: remove, fits: hasMember, path: true},
	{Name: "retype", Value: "MEMBER", Where: "line", Sentence: "MEMBER of the line is of another JSON type: a text is a number, an object a list, anything else a text; lines without it do not count.", do: retype, fits: hasMember, path: true},
	{Name: "response-twice", Where: "control_response", Sentence: "The response comes twice.", do: twice},
	{Name: "response-late", Value: "MS", Where: "control_response", Sentence: "The response comes after the line that would follow it, or after MS milliseconds (1000) if none does.", do: late, number: true, preset: "1000"},
	{Name: "response-missing", Where: "control_response", Sentence: "The response never comes.", do: missing},
	{Name: "response-contradicted", Where: "control_response", Sentence: "An error with the same id comes right after the response.", do: contradicted},
	{Name: "response-error", Where: "control_response", Sentence: "The response is an error.", do: refused},
	{Name: "response-misaddressed", Where: "control_response", Sentence: "The response has the id of no request.", do: misaddressed},
	{Name: "response-cancelled", Where: "control_response", Sentence: "A cancellation with the id of the SDK's request comes right before the response.", do: cancelledResponse},
	{Name: "cancel-before", Where: "control_request", Sentence: "The request is cancelled before it is made.", do: cancelBefore},
	{Name: "cancel-during", Where: "control_request", Sentence: "The request is cancelled right after it; the CLI does not wait for the answer, and takes it for refused.", do: cancelDuring},
	{Name: "cancel-after", Where: "control_request", Sentence: "The request is cancelled when its answer has come.", do: cancelAfter},
	{Name: "half-line", Value: "CODE", Where: "line", Sentence: "Half of the line is written, then the process ends with CODE (1).", do: halfLine, number: true, code: true, preset: "1"},
	{Name: "unterminated", Value: "CODE", Where: "result", Sentence: "The line is written without its line feed, then the process ends with CODE (0).", do: unterminated, number: true, code: true, preset: "0"},
	{Name: "exit-after", Value: "CODE", Where: "result", Sentence: "The line is written, then the process ends with CODE (0) at once.", do: exitAfter, number: true, code: true, preset: "0"},
	{Name: "exit", Value: "CODE", Where: "line", Sentence: "The process ends with CODE (1) in place of the line.", do: exit, number: true, code: true, preset: "1"},
	{Name: "kill", Value: "SIGNAL", Where: "line", Sentence: "SIGNAL (KILL; or TERM, SEGV, ABRT) ends the process in place of the line.", do: kill, preset: "KILL"},
	{Name: "hang", Where: "line", Sentence: "Nothing is written from the line on; the process lives and reads.", do: hang},
	{Name: "close-stdout", Where: "line", Sentence: "Stdout is closed in place of the line; the process lives and reads until its input ends.", do: closeStdout},
	{Name: "stay", Where: "line", Sentence: "From the line on the end of its input does not end the process; signals do.", do: stay},
	{Name: "deaf", Where: "line", Sentence: "The process stops reading its input at the line that the SDK writes, and lives until it is killed.", input: true},
}

// Table returns a row for each fault.
func Table() []Row { return slices.Clone(table) }

// Fault is one thing that goes wrong.
type Fault struct {
	row   *Row
	text  string
	value string
	kind  string
	nth   int // 0: each
}

// String returns the fault as it was written.
func (f Fault) String() string { return f.text }

// Parse reads NAME[=VALUE][@WHERE].
func Parse(text string) (Fault, error) {
	name, where := text, ""
	at := strings.LastIndexByte(text, '@')
	if at >= 0 {
		name, where = text[:at], text[at+1:]
	}
	name, value, hasValue := strings.Cut(name, "=")
	i := slices.IndexFunc(table, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Fault{}, unknownFault(name)
	}
	f := Fault{row: &table[i], text: text, value: value}
	if err := f.check(hasValue); err != nil {
		return Fault{}, fmt.Errorf("fault %q: %w", text, err)
	}
	if at < 0 {
		where = f.row.Where
	}
	kind, nth, numbered := strings.Cut(where, "#")
	f.kind, f.nth = kind, 1
	if err := checkKind(kind, f.row.input); err != nil {
		return Fault{}, fmt.Errorf("fault %q: %w", text, err)
	}
	switch n, err := strconv.Atoi(nth); {
	case !numbered:
	case nth == "*":
		f.nth = 0
	case err != nil || n < 1:
		return Fault{}, fmt.Errorf("fault %q: %q is not the number of a line, or *", text, nth)
	default:
		f.nth = n
	}
	return f, nil
}

// maxValue bounds how much of a thing a fault may make.
const maxValue = 1 << 30

// maxCode is the largest exit code that a process can have.
const maxCode = 255

func unknownFault(name string) error {
	var names []string
	for _, row := range table {
		names = append(names, row.Name)
	}
	text := fmt.Sprintf("no such fault %q", name)
	if words := near.Words(name, names); len(words) > 0 {
		text += "; did you mean " + strings.Join(words, " or ") + "?"
	}
	return errors.New(text + " protogen sim --list-faults lists them")
}

func (f *Fault) check(hasValue bool) error {
	switch {
	case !hasValue && f.row.path:
		return fmt.Errorf("%s needs a member: %s=%s", f.row.Name, f.row.Name, "message.usage")
	case !hasValue:
		f.value = f.row.preset
	case f.row.Value == "":
		return fmt.Errorf("%s takes no value", f.row.Name)
	case f.row.text:
		if _, err := url.PathUnescape(f.value); err != nil {
			return err
		}
	case f.row.path:
		if f.value == "" || slices.Contains(f.path(), "") {
			return fmt.Errorf("%q is not the path of a member, such as message.usage", f.value)
		}
	case f.row.code:
		if n, err := strconv.Atoi(f.value); err != nil || n < 0 || n > maxCode {
			return fmt.Errorf("%q is not an exit code from 0 to %d", f.value, maxCode)
		}
	case f.row.number:
		if n, err := strconv.Atoi(f.value); err != nil || n < 0 || n > maxValue {
			return fmt.Errorf("%q is not a number from 0 to %d", f.value, maxValue)
		}
	case !slices.Contains([]string{"KILL", "TERM", "SEGV", "ABRT"}, f.value):
		return fmt.Errorf("%q is not KILL, TERM, SEGV or ABRT", f.value)
	}
	return nil
}

// number returns the value of a fault whose value is a number, or the other.
func (f *Fault) number(otherwise int) int {
	n, err := strconv.Atoi(f.value)
	if err != nil {
		return otherwise
	}
	return n
}
