//go:build browser

package browser

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// patience is how long a test may take with its page, on a machine that is busy with other work.
const patience = 5 * time.Minute

// chromium is the browser of all tests, which each have a tab of it.
var chromium context.Context

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run starts Chromium with a profile that is gone at the end.
func run(m *testing.M) int {
	name := os.Getenv("CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(name),
		chromedp.Flag("force-device-scale-factor", "1"),
		// Only loopback is there: names lead nowhere.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, stop := chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s does not start: %v\nInstall it (apt-get install chromium), or name it in CHROMIUM.\n", name, err)
		return 1
	}
	chromium = ctx
	return m.Run()
}

// A page is a tab that shows one page.
type page struct {
	t    *testing.T
	ctx  context.Context
	url  string
	next func() (chromedp.ConsoleMessage, error, bool) // the messages of the console
	ends int                                           // how often the messages so far were asked for
}

// An action is something to do in a tab.
type action = chromedp.Action[chromedp.Void]

// open shows the page at an address, or a file, in a tab that is closed at the end of the test.
// There it fails the test for what went wrong in the page meanwhile.
func open(t *testing.T, address string, before ...action) *page {
	t.Helper()
	if !strings.Contains(address, "://") {
		full, err := filepath.Abs(address)
		if err != nil {
			t.Fatal(err)
		}
		address = (&url.URL{Scheme: "file", Path: full}).String()
	}
	tab, closeTab := chromedp.NewContext(chromium)
	t.Cleanup(closeTab)
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	next, stop := iter.Pull2(chromedp.Console(ctx))
	t.Cleanup(stop)
	p := &page{t: t, ctx: ctx, url: address, next: next}
	t.Cleanup(p.judge)
	p.do(chromedp.EmulateViewport(1280, 900))
	p.do(before...)
	p.do(chromedp.Navigate(address))
	return p
}

// found returns what went wrong in the page since it was asked for last.
func (p *page) found() (problems []string) {
	p.t.Helper()
	p.ends++
	end := fmt.Sprintf("end %d of what was heard", p.ends)
	eval[bool](p, fmt.Sprintf("console.debug(%q) || true", end))
	for {
		m, err, ok := p.next()
		if err != nil || !ok {
			p.t.Fatalf("the console ended: %v", err)
		}
		if m.Text == end {
			break
		}
		if m.IsException() || slices.Contains([]chromedp.ConsoleType{"error", "warning", "assert"}, m.Type) {
			problems = append(problems, m.String())
		}
	}
	asked := eval[[]string](p, `performance.getEntriesByType("resource").map((e) => e.name)`)
	eval[bool](p, `performance.clearResourceTimings() || true`)
	for _, name := range asked {
		if !p.own(name) {
			problems = append(problems, "request for "+name)
		}
	}
	return problems
}

// own reports whether an address is of the page's own server. A page in a file has none.
func (p *page) own(address string) bool {
	asked, err := url.Parse(address)
	if err != nil {
		return false
	}
	mine, err := url.Parse(p.url)
	if err != nil {
		return false
	}
	return asked.Scheme == "data" || asked.Scheme == "blob" || mine.Host != "" && asked.Host == mine.Host
}

func (p *page) judge() {
	for _, problem := range p.found() {
		p.t.Errorf("%s: %s", p.url, problem)
	}
}

// do performs actions in the tab.
func (p *page) do(actions ...action) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns what a JavaScript expression gives in a page.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until a JavaScript expression is true. It looks at times, not at frames: a tab in the
// background may draw none.
func (p *page) wait(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[any](expression, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience/2))); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
}

// meter is done before a page is opened whose share of the processor is asked for.
var meter action = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	_, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	return err
})

// busy returns how long the page's main thread had the processor.
func (p *page) busy() (total time.Duration) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		result, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, m := range result.Metrics {
			if m.Name == "TaskDuration" {
				total = time.Duration(m.Value * float64(time.Second))
			}
		}
		return nil
	}))
	if total == 0 {
		p.t.Fatal("the browser does not say how long the page had the processor")
	}
	return total
}

// press types keys, such as kb.Escape or a text, at what has the focus.
func (p *page) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// stroke presses a key with a character as a keyboard does: the page may keep it from being typed.
func (p *page) stroke(key string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, down); err != nil {
			return err
		}
		up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, up)
		return err
	}))
}

// shot leaves a picture of what is visible in the folder BROWSER_SHOTS, if that is set.
func (p *page) shot(name string) {
	p.t.Helper()
	dir := os.Getenv("BROWSER_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// scheme makes a page "light" or "dark", as the reader's system asks for.
func scheme(name string) action {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	})
}

// phone gives a page the width of a phone.
func phone() action {
	return chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)
}

// sideways reports whether the page is wider than the window.
func (p *page) sideways() bool {
	p.t.Helper()
	return eval[bool](p, "document.documentElement.scrollWidth > document.documentElement.clientWidth")
}
