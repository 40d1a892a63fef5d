//go:build browser

package browser

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/ccwire/ccwire/internal/manual"
	html "github.com/ccwire/ccwire/internal/manual/page"
)

// manualPage is the HTML page of the manual.
var manualPage = sync.OnceValues(func() (string, error) {
	m, err := manual.Load()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = html.Write(&b, m, "")
	return b.String(), err
})

// openManual opens the manual at what an anchor names.
func openManual(t *testing.T, anchor string, before ...action) *page {
	t.Helper()
	text, err := manualPage()
	if err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: write(t, text), Fragment: anchor}
	return open(t, address.String(), before...)
}

// title returns the id of the article that is shown.
func (p *page) title() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll("article")].filter((a) => a.checkVisibility()).map((a) => a.id).join(" ")`)
}

// hits returns what the search lists.
func (p *page) hits() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll("#hits [role=option]")].map((li) => li.innerText.replace(/\s+/g, " ").trim())`)
}

func TestTheSearchOfTheManualFindsARequestByItsMembers(t *testing.T) {
	p := openManual(t, "")
	if got := p.title(); got != "home" {
		t.Errorf("the page opens at %q", got)
	}
	p.stroke("/")
	p.press("permission_sugg")
	p.shot("manual-search")
	hits := p.hits()
	if len(hits) == 0 || hits[0] != "permission_suggestions member of can_use_tool Request" {
		t.Fatalf("found %q", hits)
	}
	p.press(kb.Enter)
	p.wait(`location.hash === "#control-can_use_tool-Request.permission_suggestions"`)
	if got := p.title(); got != "control-can_use_tool" {
		t.Errorf("it leads to %q", got)
	}
	p.shot("manual-found")
}

// TestTheSearchOfTheManualAnswersNewcomers asks what people ask who come to the protocol. One of the
// first three that are found must be the answer.
func TestTheSearchOfTheManualAnswersNewcomers(t *testing.T) {
	p := openManual(t, "")
	for _, row := range []struct {
		question string
		answers  []string // ids
	}{
		{"how do I deny a tool", []string{"guide-permissions", "permission-result.deny", "control-can_use_tool-Response"}},
		{"stop a running turn", []string{"guide-interrupts", "control-interrupt-Request"}},
		{"canusetool", []string{"control-can_use_tool"}},
		{"PreToolUze", []string{"hook-PreToolUse"}},
		{"bypassPermissions", []string{"shared-permission_mode", "control-set_permission_mode-Request"}},
		{"what did the turn cost", []string{"guide-usage", "message-result.success", "control-get_session_cost-Response", "control-get_session_cost-Request"}},
		{"which tools does a session have", []string{"message-system.init"}},
		{"text as the model writes it", []string{"message-stream_event", "content-stream_event.content_block_delta", "guide-turn"}},
		{"an MCP server in my program", []string{"guide-mcp", "control-mcp_message-Request", "control-initialize-Request"}},
		{"change the model", []string{"control-set_model-Request"}},
		{"the CLI crashes", []string{"guide-errors", "guide-survive"}},
		{"how long may a line be", []string{"guide-framing"}},
		{"how do I write my own SDK", []string{"guide-sdk-python", "guide-sdk-typescript", "guide-survive"}},
		{"go on with an old session", []string{"guide-resume"}},
		{"which environment variables are there", []string{"guide-flags"}},
		{"undo what the tools wrote", []string{"guide-checkpoints", "control-rewind_files-Request"}},
		{"limit what a session costs", []string{"guide-usage"}},
		{"budget", []string{"guide-usage", "guide-flags", "message-result.error_max_budget_usd"}},
		{"resume", []string{"guide-resume"}},
		{"session id", []string{"shared-session_id"}},
		{"custom tool", []string{"guide-mcp"}},
		{"close stdin", []string{"guide-turn", "guide-framing", "guide-survive"}},
		{"where are sessions saved", []string{"guide-resume"}},
		{"session ended hook", []string{"hook-SessionEnd"}},
		{"windows line endings", []string{"guide-framing"}},
		{"skip permissions", []string{"guide-permissions", "shared-permission_mode", "control-set_permission_mode-Request"}},
	} {
		found := eval[[]string](p, fmt.Sprintf(`manualSearch(document.querySelectorAll("article"))(%q).slice(0, 3).map((hit) => hit.id)`, row.question))
		if !slices.ContainsFunc(found, func(id string) bool { return slices.Contains(row.answers, id) }) {
			t.Errorf("%q: found %q, want one of %q", row.question, found, row.answers)
		}
	}
}

func TestTheManualCanBeUsedWithTheKeyboardAlone(t *testing.T) {
	p := openManual(t, "")
	p.stroke("/")
	p.press("permission")
	if hits := p.hits(); len(hits) < 3 || hits[0] != "Permissions Guide" {
		t.Fatalf("found %q", hits)
	}
	selected := `document.querySelector("#hits [aria-selected=true]")?.id || ""`
	for _, step := range []struct{ key, want string }{
		{kb.ArrowDown, "hit-1"}, {kb.ArrowDown, "hit-2"}, {kb.ArrowUp, "hit-1"}, {kb.ArrowUp, "hit-0"},
	} {
		p.press(step.key)
		if got := eval[string](p, selected); got != step.want {
			t.Errorf("%q is selected, want %q", got, step.want)
		}
	}
	p.press(kb.Escape)
	if !eval[bool](p, `document.getElementById("hits").hidden && document.activeElement.id !== "q" && document.getElementById("q").value === ""`) {
		t.Error("Escape does not leave the search")
	}
}

func TestEveryLinkOfTheManualLeadsSomewhere(t *testing.T) {
	p := openManual(t, "")
	for _, to := range eval[[]string](p, `[...document.querySelectorAll("a")].map((a) => a.getAttribute("href"))
		.filter((to) => !to.startsWith("#") || !document.getElementById(decodeURIComponent(to.slice(1))))`) {
		t.Errorf("%s leads nowhere", to)
	}
	if twice := eval[int](p, `(() => { const ids = [...document.querySelectorAll("[id]")].map((e) => e.id); return ids.length - new Set(ids).size })()`); twice != 0 {
		t.Errorf("%d ids are there twice", twice)
	}
}

func TestALinkOfTheManualIsFollowed(t *testing.T) {
	p := openManual(t, "control-can_use_tool")
	eval[bool](p, `[...document.querySelectorAll("article.on a")].find((a) => a.hash === "#permission-update").click() || true`)
	p.wait(`location.hash === "#permission-update"`)
	if got := p.title(); got != "permission-update" {
		t.Errorf("it leads to %q", got)
	}
	eval[bool](p, `history.back() || true`)
	p.wait(`location.hash === "#control-can_use_tool"`)
	p.wait(`document.getElementById("control-can_use_tool").checkVisibility()`)
}

func TestTheManualIsLightOrDarkAsTheReaderWants(t *testing.T) {
	brightness := `(() => { const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number); return (r + g + b) / 3 })()`
	for name, fits := range map[string]func(float64) bool{
		"light": func(b float64) bool { return b > 200 },
		"dark":  func(b float64) bool { return b < 60 },
	} {
		t.Run(name, func(t *testing.T) {
			p := openManual(t, "control-can_use_tool", scheme(name))
			if got := eval[float64](p, brightness); !fits(got) {
				t.Errorf("the brightness of the background is %v", got)
			}
			p.shot("manual-topic-" + name)
			eval[bool](p, `(location.hash = "#guide-permissions") !== ""`)
			p.wait(`document.getElementById("guide-permissions").checkVisibility()`)
			p.shot("manual-guide-" + name)
			eval[bool](p, `(location.hash = "#home") !== ""`)
			p.wait(`document.getElementById("home").checkVisibility()`)
			p.shot("manual-home-" + name)
		})
	}
}

func TestTheManualFitsAPhone(t *testing.T) {
	p := openManual(t, "", phone())
	for _, id := range []string{"home", "area-control", "control-can_use_tool", "control-initialize", "message-system.init", "guide-permissions", "guide-mcp", "shared-session_id"} {
		eval[bool](p, `(location.hash = "#`+id+`") !== ""`)
		p.wait(`document.getElementById("` + id + `").checkVisibility()`)
		if p.sideways() {
			t.Errorf("%s is wider than the screen", id)
		}
		if cut := eval[int](p, `[...document.querySelectorAll("article.on .diagram .scroll")].filter((e) => e.scrollWidth > e.clientWidth).length`); cut > 0 {
			t.Errorf("%d diagrams of %s are cut off", cut, id)
		}
		p.shot("manual-phone-" + id)
	}
	eval[bool](p, `document.getElementById("menu").click() || true`)
	if !eval[bool](p, `document.getElementById("side").checkVisibility()`) {
		t.Error("the contents do not open")
	}
	p.shot("manual-phone-menu")
}
