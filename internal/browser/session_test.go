//go:build browser

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// session returns a recorded session of several turns with deltas, as a tap would have it.
func session(t *testing.T) []byte {
	t.Helper()
	entries, err := recording.ReadFile(os.DirFS("../../conformance/recordings/sessions/2.1.325"), "sdk-typescript-tools.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	at := 0.0
	for i := range entries {
		if i > 0 {
			at += 3 + float64(i*i*37%400)
			entries[i].Time = at
		}
	}
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const talkReady = `document.querySelectorAll("#talk .say").length > 2`

func TestTheHeaderSaysWhatSessionItIs(t *testing.T) {
	p := open(t, viewPage(t, session(t)))
	p.wait(rowCount + " > 10")
	facts := eval[string](p, `document.getElementById("facts").textContent`)
	for _, want := range []string{"CLI2.1.325", "modelclaude-sonnet-5-5", "modeacceptEdits", "turns2", "tokens60 in, 30 out", "time24.52 s"} {
		if !strings.Contains(strings.ReplaceAll(facts, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("the header says %q, not %q", facts, want)
		}
	}
}

func TestAPromptThatIsPlayedBackIsSaidOnce(t *testing.T) {
	entries, err := corpus.Read(corpus.Newest(), "stream/replay")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	p := open(t, viewPage(t, b.Bytes()))
	p.wait(`document.querySelector("#talk .say.end") !== null`)
	p.wait(`[...document.querySelectorAll("#talk .say.user p")].filter((e) => e.textContent === "greet me").length === 1`)
}

func TestTheConversationIsBesideTheWireWithToolsAndTheirResults(t *testing.T) {
	p := open(t, viewPage(t, session(t)))
	p.wait(talkReady)
	p.wait(`document.querySelector("#talk .call") !== null`)
	p.shot("view-talk")
	for what, has := range map[string]string{
		"the prompt":   `document.querySelector("#talk .say.user p").textContent === "use the tools"`,
		"a call":       `[...document.querySelectorAll("#talk .call summary")].some((e) => e.textContent.includes("Write") && e.textContent.includes("a.txt"))`,
		"its decision": `document.querySelector("#talk .decided.allow") !== null`,
		"its result":   `[...document.querySelectorAll("#talk .call pre")].some((e) => e.textContent.includes("File created successfully"))`,
		"the end":      `document.querySelector("#talk .say.end .ended").textContent.includes("tokens out")`,
	} {
		if !eval[bool](p, has) {
			t.Errorf("the conversation does not have %s", what)
		}
	}
	if eval[bool](p, `[...document.querySelectorAll("#talk .say.user p")].some((e) => e.textContent.includes("File created"))`) {
		t.Error("a result stands by itself, too")
	}
	eval[any](p, `[...document.querySelectorAll("#talk .by")].find((e) => e.textContent.startsWith("Result")).click()`)
	p.wait(pickedIs + ` === "user"`)
	p.press("c")
	p.wait(`document.getElementById("talk").hidden`)
}

func TestDeltasAreFoldedIntoTheMessageThatTheyBuild(t *testing.T) {
	p := open(t, viewPage(t, session(t)))
	p.wait(rowCount + " > 10")
	deltas := `[...document.querySelectorAll("[data-row] .kind")].filter((e) => e.textContent === "stream_event/content_block_delta").length`
	if n := eval[int](p, deltas); n != 0 {
		t.Errorf("%d deltas are listed", n)
	}
	if !strings.Contains(eval[string](p, `document.getElementById("state").textContent`), " folded") {
		t.Error("nothing says how many rows are folded")
	}
	if !eval[bool](p, `document.querySelector("[data-fold]").closest(".row").querySelector(".sum").textContent.includes('{"text":"hi"}')`) {
		t.Error("a message in pieces does not say what it has become")
	}
	eval[any](p, `document.querySelector("[data-fold]").click()`)
	p.wait(deltas + " === 1")
	p.press("x")
	p.wait(deltas + " === 0")
	p.into("f", "filter", "content_block_delta")
	p.wait(deltas + " > 2")
	p.press(kb.Escape)
	p.wait(deltas + " === 0")
}

func TestTheTimeOfTurnsIsShownByWhatWasWaitedFor(t *testing.T) {
	p := open(t, viewPage(t, session(t)))
	p.wait(rowCount + " > 10")
	p.press("t")
	p.wait(`document.querySelectorAll("#times .waterfall i").length > 3`)
	p.shot("view-times")
	for _, class := range []string{"model", "tools", "callbacks"} {
		if !eval[bool](p, `document.querySelector("#times i.`+class+`") !== null`) {
			t.Errorf("there is no time of %s", class)
		}
	}
	p.press("t")
	p.wait(`document.getElementById("times").hidden`)
}

func TestRowsAreLinkedCopiedBookmarkedAndExported(t *testing.T) {
	file := viewPage(t, session(t))
	p := open(t, file)
	p.wait(`document.getElementById("state").textContent.includes("unpacking") === false`)
	// What is copied is kept, and what is saved is read back.
	eval[any](p, `void (window.copied = "", navigator.clipboard.writeText = async (s) => { window.copied = s; },
		URL.createObjectURL = (blob) => { blob.text().then((s) => { window.saved = s; }); return "#saved"; })`)
	p.into("/", "search", "can_use_tool")
	p.wait(pickedIs + ` === "control_request/can_use_tool"`)
	p.press(kb.Escape)
	p.press(kb.Enter)
	p.wait(`document.querySelector("#detail .verbs") !== null`)
	for form, want := range map[string]string{
		"line":        `window.copied.startsWith('{"type":"control_request"')`,
		"test vector": `JSON.parse(window.copied).definition === "envelope/control_request.json" && JSON.parse(window.copied).valid && JSON.parse(window.copied).direction === "cli-to-sdk"`,
		"command":     `window.copied.startsWith("printf '%s\\n' '{") && window.copied.endsWith("' | protogen explain -")`,
		"link":        `/#r\d+$/.test(window.copied)`,
	} {
		eval[any](p, `void (window.copied = "", document.querySelector('[data-copy="`+form+`"]').click())`)
		p.wait(`window.copied !== ""`)
		if !eval[bool](p, want) {
			t.Errorf("the %s is %s", form, eval[string](p, "window.copied"))
		}
	}
	p.press("m")
	p.wait(`document.querySelector(".picked.marked") !== null`)
	p.press("jm")
	p.wait(`document.getElementById("export").textContent === "Export 2"`)
	p.wait(`/^#r\d+&m=\d+,\d+$/.test(location.hash)`)
	p.shot("view-marks")
	hash := eval[string](p, "location.hash")
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`window.saved !== undefined`)
	if n := eval[int](p, `window.saved.trim().split("\n").map((l) => JSON.parse(l)).filter((e) => e.dir && e.line).length`); n != 2 {
		t.Errorf("%d entries are saved", n)
	}
	again := open(t, file)
	again.wait(rowCount + " > 10")
	eval[any](again, `void (location.hash = "`+hash+`")`)
	again.wait(`document.querySelectorAll(".marked").length === 2 && document.querySelector(".picked") !== null && !document.getElementById("detail").hidden`)
}

func TestTheSessionFitsAPhoneAndTheDark(t *testing.T) {
	file := viewPage(t, session(t))
	dark := open(t, file, scheme("dark"))
	dark.wait(talkReady)
	dark.press("t")
	dark.wait(`document.querySelectorAll("#times .waterfall i").length > 3`)
	dark.shot("view-talk-dark")
	small := open(t, file, phone())
	small.wait(rowCount + " > 5")
	if small.sideways() {
		t.Error("the list is wider than a phone")
	}
	small.shot("view-session-phone")
	eval[any](small, `document.getElementById("talking").click()`)
	small.wait(talkReady)
	small.shot("view-talk-phone")
	eval[any](small, `document.getElementById("timing").click()`)
	small.wait(`document.querySelectorAll("#times .waterfall i").length > 3`)
	small.shot("view-times-phone")
	if small.sideways() {
		t.Error("the conversation is wider than a phone")
	}
}

// longMessages has messages in many pieces, up to a number of lines.
func longMessages(t *testing.T, lines int) []byte {
	t.Helper()
	entries, err := corpus.Read(corpus.Newest(), "stream/partial-messages")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	n := 0
	for n < lines {
		for _, one := range entries {
			if one.Dir != recording.ToCLI && one.Dir != recording.ToSDK {
				continue
			}
			times := 1
			if strings.Contains(one.Line, `"text_delta"`) {
				times = 40
			}
			for range times {
				n++
				one.Time = float64(n) * 1.5
				if err := e.Encode(one); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return b.Bytes()
}

func TestFiftyThousandPiecesOpenFoldedInTwoSecondsFromAPageSmallerThanTheRecording(t *testing.T) {
	text := longMessages(t, 50_000)
	file := viewPage(t, text)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the recording has %d bytes, the page %d", len(text), info.Size())
	if info.Size() >= int64(len(text)) {
		t.Errorf("the page has %d bytes, the recording %d", info.Size(), len(text))
	}
	best := time.Hour
	var p *page
	for range 3 {
		p = open(t, file, meter)
		p.wait(talkReady)
		if best = min(best, p.busy()); best < time.Second {
			break
		}
	}
	t.Logf("opened with %v of the processor", best)
	if best > 2*time.Second {
		t.Errorf("the page took %v of the processor to open", best)
	}
	p.wait(`/ rows, \d{5} folded$/.test(document.getElementById("state").textContent)`)
	const frames = 60
	before := p.busy()
	eval[any](p, fmt.Sprintf(`void (async () => {
		for (let i = 0; i < %d; i++) {
			for (const id of ["scroll", "talk"]) document.getElementById(id).scrollTop += document.getElementById(id).clientHeight / 4;
			await new Promise(requestAnimationFrame);
		}
		window.scrolled = true;
	})()`, frames))
	p.wait("window.scrolled === true")
	frame := (p.busy() - before) / frames
	if t.Logf("a frame takes %v of the processor", frame); frame > 50*time.Millisecond {
		t.Errorf("a frame takes %v of the processor while both panes scroll", frame)
	}
	if n := eval[int](p, `document.querySelectorAll("#talk .say").length`); n > 300 {
		t.Errorf("%d messages are in the document", n)
	}
	before = p.busy()
	p.press("t")
	p.wait(`document.querySelectorAll("#times .waterfall").length > 10`)
	if took := p.busy() - before; took > 2*time.Second {
		t.Errorf("the times took %v of the processor", took)
	}
	p.press("G")
	p.wait(`document.querySelector("#talk .here") !== null`)
}
