package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/page"
)

// written is the page.
var written = sync.OnceValues(func() (string, error) {
	m, err := manual.Load()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = page.Write(&b, m, "")
	return b.String(), err
})

func text(t *testing.T) string {
	t.Helper()
	page, err := written()
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestThePolicyAllowsTheScriptAndTheStyleOfThePageAlone(t *testing.T) {
	page := text(t)
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
	for _, tag := range []string{"script", "style"} {
		found := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d elements %s", len(found), tag)
		}
		sum := sha256.Sum256([]byte(found[0][1]))
		if want := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("%s is not in %s", want, policy)
		}
	}
}

func TestThePageNeedsNothingElse(t *testing.T) {
	page := text(t)
	for _, m := range regexp.MustCompile(`(?:href|src|action)="([^"#]*)`).FindAllStringSubmatch(page, -1) {
		if to := m[1]; to != "" && !strings.HasPrefix(to, "data:") {
			t.Errorf("it leads to %s", to)
		}
	}
	if m := regexp.MustCompile(` (?:on[a-z]+|style)="`).FindString(page); m != "" {
		t.Errorf("it has an attribute %s, which the policy forbids", m)
	}
}

func TestWithABaseThePageLeadsToFilesThatAreThere(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := page.Write(&b, m, "https://example.com/x/"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, found := range regexp.MustCompile(`href="https://example.com/x/([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		seen[found[1]] = true
	}
	kinds := map[string]int{}
	for name := range seen {
		if _, err := os.Stat("../../../" + name); err != nil {
			t.Error(err)
		}
		top, _, _ := strings.Cut(strings.TrimPrefix(name, "conformance/"), "/")
		kinds[top]++
	}
	for _, top := range []string{"gen", "schema", "scenarios", "sdk-scenarios"} {
		if kinds[top] == 0 {
			t.Errorf("nothing leads to %s: %v", top, kinds)
		}
	}
}

func TestEveryEntryIsOnThePage(t *testing.T) {
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text(t), -1) {
		ids[m[1]] = true
	}
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Set().Definitions() {
		if !ids[m.Entry(d.Name()).Anchor()] {
			t.Errorf("%s is not there", d.Name())
		}
	}
}
