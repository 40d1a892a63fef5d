//go:build browser

package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	html "github.com/ccwire/ccwire/internal/manual/page"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/view"
	"github.com/ccwire/ccwire/schema"
)

// viewPage writes the page of a recording, or of plain NDJSON.
func viewPage(t *testing.T, text []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := view.NewPage(file, "session.ndjson", html.Entry)
	if err := view.Read(bytes.NewReader(text), linestream.Options{}, p.Add); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// timed returns a recorded session as a tap would have it, with something odd in it.
func timed(t *testing.T, scenario string) []byte {
	t.Helper()
	entries, err := corpus.Read(corpus.Newest(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	entries = append([]recording.Entry(nil), entries...)
	for i := range entries {
		if i > 0 {
			entries[i].Time = float64(i*i) * 7.25
		}
	}
	odd := recording.Entry{Dir: recording.ToSDK, Time: 300, Line: `{"type":"keep_alive","brand_new":true}`}
	noise := recording.Entry{Dir: recording.Stderr, Time: 310, Line: "Warning: something on stderr"}
	at := len(entries) / 2
	entries = append(entries[:at:at], append([]recording.Entry{odd, noise}, entries[at:]...)...)
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	rowCount = `document.querySelectorAll("[data-row]").length`
	pickedIs = `document.querySelector(".picked .kind")?.textContent`
)

// into has a key bring the focus into a field, and types there. The key itself is not typed, which
// only a real keyboard knows.
func (p *page) into(key, field, text string) {
	p.t.Helper()
	p.press(key)
	p.wait(fmt.Sprintf("document.activeElement.id === %q", field))
	eval[any](p, `void (document.activeElement.value = "")`)
	p.press(text)
}

func TestAFilterHidesLanesKindsAndTexts(t *testing.T) {
	p := open(t, viewPage(t, timed(t, "permission/allow")))
	p.wait(rowCount + " >= 14")
	p.shot("view-list")
	all := eval[int](p, rowCount)
	for lane, name := range map[int]string{0: "to-cli", 1: "to-sdk", 2: "stderr", 3: "model"} {
		click := fmt.Sprintf(`document.querySelector('[data-lane="%d"]').click()`, lane)
		eval[any](p, click)
		if n := eval[int](p, fmt.Sprintf(`document.querySelectorAll(".row.%s").length`, name)); n != 0 {
			t.Errorf("%d rows of the lane %s are left", n, name)
		}
		eval[any](p, click)
	}
	p.into("f", "filter", "brand_new")
	p.wait(rowCount + " === 1")
	p.press(kb.Escape)
	p.wait(fmt.Sprintf("%s === %d", rowCount, all))
	eval[any](p, `document.getElementById("kinds").open = true`)
	p.wait(`document.querySelectorAll("#kindlist label").length > 5`)
	p.shot("view-kinds")
	eval[any](p, `[...document.querySelectorAll("#kindlist label")].find((l) => l.textContent.startsWith("assistant")).querySelector("input").click()`)
	p.wait(fmt.Sprintf("%s === %d", rowCount, all-2))
	eval[any](p, `document.getElementById("odd").click()`)
	p.wait(rowCount + " === 1")
	if flag := eval[string](p, `document.querySelector(".flag").textContent`); flag != "unknown member" {
		t.Errorf("the finding is %q", flag)
	}
}

func TestAQuestionIsJoinedToItsAnswer(t *testing.T) {
	p := open(t, viewPage(t, timed(t, "permission/allow")))
	p.wait(rowCount + " >= 14")
	p.into("/", "search", "can_use_tool")
	p.wait(pickedIs + ` === "control_request/can_use_tool"`)
	p.press(kb.Escape)
	p.press(kb.Enter)
	p.wait(`!document.getElementById("detail").hidden`)
	p.wait(`document.querySelector("#detail .tree") !== null`) // the lines are unpacked after the rows
	partner := eval[string](p, `document.getElementById("partner").textContent`)
	if !strings.Contains(partner, "answered by line ") || !strings.Contains(partner, "control_response/can_use_tool, after ") {
		t.Errorf("the question says %q", partner)
	}
	for what, has := range map[string]string{
		"Raw":      `[...document.querySelectorAll("#detail pre")].some((e) => e.textContent.includes('"subtype":"can_use_tool"'))`,
		"decoded":  `document.querySelector("#detail .tree").textContent.includes("tool_name: \"Write\"")`,
		"manual":   `document.querySelector(".manual").textContent.includes("Asks whether a tool may run")`,
		"member":   `/^permission_suggestions\s*list of permission\/update\s*Permission changes.*since 1\.0\.128$/s.test(document.querySelector('.manual tr[data-m="permission_suggestions"]').textContent.trim())`,
		"required": `document.querySelector('.manual tr[data-m="tool_name"] .must').textContent === "required"`,
		"answer":   `document.querySelector('.manual .answer tr[data-m="updatedPermissions"]') !== null`,
	} {
		if !eval[bool](p, has) {
			t.Errorf("the row is not shown in the form %s", what)
		}
	}
	p.shot("view-join")
	eval[any](p, `void document.querySelector(".answer").scrollIntoView()`)
	p.shot("view-answer")
	p.press("o")
	p.wait(pickedIs + ` === "control_response/can_use_tool"`)
	p.press("o")
	p.wait(pickedIs + ` === "control_request/can_use_tool"`)
}

// holdTexts has a page wait with the unpacking of its lines until window.unpackNow is called.
var holdTexts action = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	_, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `
		const text = Response.prototype.text, held = new Promise((done) => { window.unpackNow = done; });
		Response.prototype.text = async function () { await held; return text.call(this); };`})
	return err
})

func TestARowThatIsOpenBeforeItsLineIsUnpackedShowsTheLineThen(t *testing.T) {
	p := open(t, viewPage(t, timed(t, "permission/allow")), holdTexts)
	p.wait(rowCount + " >= 14")
	p.into("/", "search", "can_use_tool")
	p.wait(pickedIs + ` === "control_request/can_use_tool"`)
	p.press(kb.Escape)
	p.press(kb.Enter)
	p.wait(`document.querySelector("#detail .manual") !== null`)
	if eval[bool](p, `document.querySelector("#detail .tree") !== null`) {
		t.Fatal("the line is there before it is unpacked")
	}
	eval[any](p, `window.unpackNow()`)
	p.wait(`document.querySelector("#detail .tree")?.textContent.includes("tool_name: \"Write\"")`)
}

func TestTheKeysOfTheListWork(t *testing.T) {
	p := open(t, viewPage(t, timed(t, "permission/allow")))
	p.wait(rowCount + " >= 14")
	for _, step := range []struct{ keys, want string }{
		{"j", "start"}, {"j", "control_request/initialize"}, {kb.ArrowDown, "control_response/initialize"}, {"k", "control_request/initialize"},
		{"G", "exit"}, {"g", "start"}, {"e", "keep_alive"},
	} {
		p.press(step.keys)
		p.wait(fmt.Sprintf("%s === %q", pickedIs, step.want))
	}
	p.press("?")
	p.wait(`document.getElementById("keys").open`)
	p.shot("view-keys")
	p.press(kb.Escape)
	p.wait(`!document.getElementById("keys").open`)
	p.press(kb.Enter)
	p.wait(`!document.getElementById("detail").hidden`)
	p.press(kb.Escape)
	p.wait(`document.getElementById("detail").hidden`)
	p.into("/", "search", "result")
	p.wait(`document.getElementById("hits").textContent.includes("/")`)
	before := eval[string](p, `document.getElementById("hits").textContent`)
	p.press(kb.Enter)
	p.wait(fmt.Sprintf(`document.getElementById("hits").textContent !== %q`, before))
}

// longRecording has turns of lines as they are, up to a number of lines.
func longRecording(t *testing.T, lines int) []byte {
	t.Helper()
	entries, err := corpus.Read(corpus.Newest(), "permission/allow")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i := 0; i < lines; {
		for _, one := range entries[3:11] {
			one.Time = float64(i) * 1.5
			if err := e.Encode(one); err != nil {
				t.Fatal(err)
			}
			i++
		}
	}
	return b.Bytes()
}

func TestFiftyThousandLinesOpenInTwoSecondsWithOnlyVisibleRowsInTheDocument(t *testing.T) {
	file := viewPage(t, longRecording(t, 50_000))
	// Where other work on the machine takes the processor, the page's own share of it counts.
	best, busy := time.Hour, time.Hour
	var p *page
	for range 3 {
		begin := time.Now()
		p = open(t, file, meter)
		p.wait(rowCount + " > 10")
		best, busy = min(best, time.Since(begin)), min(busy, p.busy())
		if best < 2*time.Second {
			break
		}
	}
	t.Logf("opened in %v, %v of the processor", best, busy)
	if best > 2*time.Second && busy > time.Second || best > 8*time.Second {
		t.Errorf("the page took %v to open, %v of the processor", best, busy)
	}
	begin := time.Now()
	p.wait(`document.getElementById("state").textContent === "50000 rows"`)
	t.Logf("unpacked in %v more", time.Since(begin))
	few := func() {
		t.Helper()
		if n := eval[int](p, rowCount); n > 80 {
			t.Errorf("%d rows are in the document", n)
		}
	}
	few()
	p.press("G")
	p.wait(`document.querySelector(".picked .n")?.textContent === "50000"`)
	few()
	// Scrolling, a quarter of a screen at a time, draws no frame that takes long.
	const frames = 100
	before := p.busy()
	eval[any](p, fmt.Sprintf(`void (async () => {
		const list = document.getElementById("scroll");
		for (let i = 0; i < %d; i++) {
			list.scrollTop -= list.clientHeight / 4;
			await new Promise(requestAnimationFrame);
		}
		window.scrolled = true;
	})()`, frames))
	p.wait("window.scrolled === true")
	frame := (p.busy() - before) / frames
	if t.Logf("a frame takes %v of the processor", frame); frame > 33*time.Millisecond {
		t.Errorf("a frame takes %v of the processor while the list scrolls", frame)
	}
	few()
	begin = time.Now()
	p.into("/", "search", "acceptEdits")
	p.wait(`document.getElementById("hits").textContent.endsWith("6250")`)
	t.Logf("searched in %v", time.Since(begin))
}

func TestThePageIsDarkOrLightAndFitsAPhone(t *testing.T) {
	file := viewPage(t, timed(t, "permission/allow"))
	background := `getComputedStyle(document.body).backgroundColor`
	dark := open(t, file, scheme("dark"))
	dark.wait(rowCount + " > 10")
	dark.press("jjjjjjjj" + kb.Enter)
	dark.shot("view-dark")
	light := open(t, file, scheme("light"))
	light.wait(rowCount + " > 10")
	light.press("jjjjjjjj" + kb.Enter)
	light.shot("view-light")
	if d, l := eval[string](dark, background), eval[string](light, background); d == l {
		t.Errorf("dark and light are both %s", d)
	}
	small := open(t, file, phone())
	small.wait(rowCount + " > 10")
	small.shot("view-phone")
	if small.sideways() {
		t.Error("the list is wider than a phone")
	}
	eval[any](small, `document.querySelectorAll("[data-row]")[7].click()`)
	small.wait(`!document.getElementById("detail").hidden`)
	small.shot("view-phone-detail")
	if small.sideways() {
		t.Error("the detail is wider than a phone")
	}
	eval[any](small, `document.getElementById("back").click()`)
	small.wait(`document.getElementById("detail").hidden`)
}

func TestAHostileRecordingRunsNothing(t *testing.T) {
	evil := []string{
		`<script>window.owned=1</script>`, `</script><script>window.owned=1</script>`, `<img src=x onerror="window.owned=1">`, `"><svg onload=window.owned=1>`,
		`<!--<script>`, `]]>`, "\u2028window.owned=1//", "\u202e\u001b]0;x\u0007\u001b[2J", `{{.}}`, `javascript:window.owned=1`, `\u003cscript\u003ewindow.owned=1`,
		`__proto__`, `constructor`,
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	put := func(v any) {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	put(map[string]any{"dir": "header", "args": evil, "scenario": evil[0], "version": evil[1]})
	for _, x := range evil {
		line, err := json.Marshal(map[string]any{"type": x, "subtype": x, x: map[string]any{x: x}, "request_id": x, "message": map[string]any{"content": x}})
		if err != nil {
			t.Fatal(err)
		}
		put(map[string]any{"dir": "cli->sdk", "line": string(line)})
		put(map[string]any{"dir": "cli->sdk", "line": x})
		put(map[string]any{"dir": "stderr", "line": x})
		put(map[string]any{"dir": x, "line": x, "of": x, "signal": x})
	}
	put(map[string]any{"dir": "cli->sdk", "line": "\ufffd", "line_b64": "eyJ0eXBlIjoi/yJ9"})
	put(map[string]any{"dir": "cli->sdk", "line": `{"type":"user","x":"` + strings.Repeat("<b>y</b>", 1<<21) + `"}`})
	put(map[string]any{"dir": "cli->sdk", "line": strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)})
	b.WriteString("not an entry <script>window.owned=1</script>\n\xff\xfe\x00\n")
	p := open(t, viewPage(t, b.Bytes()))
	p.wait(rowCount + " > 10")
	p.shot("view-hostile")
	p.press(kb.Enter)
	p.press(strings.Repeat("j", 4*len(evil)+6))
	p.wait(`document.getElementById("detail").textContent.length > 0`)
	if eval[bool](p, `"owned" in window`) {
		t.Error("something of the recording was run")
	}
	if n := eval[int](p, `document.querySelectorAll("#scroll img, #scroll svg, #scroll script, #detail img, #detail svg, #detail script, #detail b").length`); n != 0 {
		t.Errorf("%d elements are of the recording", n)
	}
}

func TestThePageOfASessionThatGoesOnShowsWhatComes(t *testing.T) {
	hub := new(view.Hub)
	server, err := view.ServeLive("127.0.0.1:0", "live", hub, html.Entry)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	p := open(t, server.URL())
	p.wait(`document.getElementById("state").textContent.includes("live")`)
	var rows view.Builder
	session := linecheck.New(true).Session()
	frame := linestream.NewFramer(0)
	add := func(dir recording.Dir, at float64, text string) {
		v := session.Line(schema.Either, frame.Frame([]byte(text)), int(at))
		hub.Add(rows.Add(int(at), &recording.Entry{Dir: dir, Time: at}, []byte(text), v))
	}
	add(recording.ToSDK, 1, `{"type":"control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}`)
	p.wait(rowCount + " === 1")
	add(recording.ToCLI, 5, `{"type":"control_response","response":{"subtype":"success","request_id":"7","response":{"behavior":"deny","message":"no"}}}`)
	p.wait(rowCount + " === 2")
	p.wait(`[...document.querySelectorAll(".tag")].map((e) => e.textContent).join() === "↪ 5 · 4.00 ms,↩ 1 · 4.00 ms"`)
	eval[any](p, `document.querySelector("[data-row]").click()`)
	p.wait(`document.querySelector('.manual tr[data-m="permission_suggestions"]') !== null`)
	hub.End()
	p.wait(`!document.getElementById("state").textContent.includes("live")`)
	p.shot("view-live")
}
