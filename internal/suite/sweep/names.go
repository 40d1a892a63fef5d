package sweep

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Toggle is a circumstance in which a session can be played.
type Toggle struct {
	Name  string `json:"name"`            // of a variable, or of a flag with its dashes
	Value string `json:"value,omitempty"` // of a variable
}

// String returns the toggle as a shell has it.
func (t Toggle) String() string {
	if t.flag() {
		return t.Name
	}
	return t.Name + "=" + t.Value
}

// ParseToggle reads NAME=value or a flag.
func ParseToggle(text string) (Toggle, error) {
	name, value, ok := strings.Cut(text, "=")
	t := Toggle{Name: name, Value: value}
	if name == "" || ok == t.flag() {
		return t, fmt.Errorf("%q is no toggle: want NAME=value or --flag", text)
	}
	return t, nil
}

func (t Toggle) flag() bool { return strings.HasPrefix(t.Name, "--") }

// begins are what variables and the declarations of flags begin with in a package.
var begins = [][]byte{[]byte("CLAUDE_"), []byte("ANTHROPIC_"), []byte("CCR_"), []byte(`("--`), []byte(`, --`)}

// names are what follows.
var names = map[bool]*regexp.Regexp{
	false: regexp.MustCompile(`^[A-Z]+_[A-Z0-9_]{3,60}\b`),
	true:  regexp.MustCompile(`^(?:\("|, )(--[a-z][a-z0-9-]{2,40})"`),
}

// values are what variables are set to that have no use for 1.
var values = map[string][]string{
	"CLAUDE_CODE_REMOTE":     {"true"},
	"CLAUDE_CODE_ENTRYPOINT": {"claude-vscode", "claude-desktop", "remote", "sdk-ts", "sdk-cli", "cli", "mcp", "local-agent"},
}

// valued finds variables that want a place, a time, a secret or a name of something, and those that
// lead the CLI away from the fake API. They are left out.
var valued = regexp.MustCompile(`_(URL|URLS|HOST|HOSTS|PORT|PATH|PATHS|DIR|DIRS|DIRECTORY|FILE|FILES|FD|DESCRIPTOR|MS|SECONDS|SECS|MINUTES|HOURS|DAYS|TIMEOUT|TOKEN|TOKENS|KEY|KEYS|` +
	`SECRET|HEADERS|BODY|MODEL|MODELS|ID|IDS|UUID|EMAIL|NAME|NAMES|VERSION|SOCKET|SOCK|SHELL|PREFIX|B64|CERT|LIMIT|SIZE|BYTES|CHARS|COUNT|INTERVAL|BUDGET|PCT|PERCENT|REGION|PROFILE|CONFIG|COMMAND)$|` +
	`_USE_(BEDROCK|VERTEX|FOUNDRY|MANTLE|GATEWAY)|_SKIP_\w*_AUTH|^CLAUDE_CODE_(SIMPLE|EXIT|HANDLE|PROXY)|^ANTHROPIC_(API|AUTH|CUSTOM|DEFAULT)|SELF_HOSTED`)

// usual are the flags of every session, and those that make a CLI do something else than a session.
var usual = map[string]bool{
	"--output-format": true, "--input-format": true, "--verbose": true, "--permission-prompt-tool": true, "--permission-mode": true,
	"--include-partial-messages": true, "--session-mirror": true, "--include-hook-events": true, "--forward-subagent-text": true,
	"--replay-user-messages": true, "--help": true, "--version": true, "--background": true, "--bg": true, "--print": true,
}

// Toggles returns the variables and flags that are named in the package of a CLI: the executable
// and the files beside it. A flag that the CLI does not know is among them, and ends it.
func Toggles(path string) ([]Toggle, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), "package.json")); err == nil {
		if files, err = filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil {
			return nil, err
		}
	}
	found := map[string]bool{}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := scanFile(file, found); err != nil {
			return nil, err
		}
	}
	var list []Toggle
	for _, n := range slices.Sorted(maps.Keys(found)) {
		switch t := (Toggle{Name: n}); {
		case t.flag() && !usual[n]:
			list = append(list, t)
		case t.flag():
		case values[n] != nil:
			for _, v := range values[n] {
				list = append(list, Toggle{n, v})
			}
		case !valued.MatchString(n) && !strings.HasSuffix(n, "_"):
			list = append(list, Toggle{n, "1"})
		}
	}
	return list, nil
}

// longest is longer than all that names match.
const longest = 128

func scanFile(file string, found map[string]bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return scan(f, found)
}

// scan adds the names in a stream. It keeps a block of it in memory.
func scan(r io.Reader, found map[string]bool) error {
	buf := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := io.ReadFull(r, buf[kept:])
		text := buf[:kept+n]
		for _, begin := range begins {
			for at := 0; ; at++ {
				i := bytes.Index(text[at:], begin)
				if at += i; i < 0 || err == nil && at > len(text)-longest {
					break // what may be cut here is whole in the next block
				}
				part := text[at:min(at+longest, len(text))]
				if m := names[!isLetter(begin[0])].FindSubmatch(part); m != nil && (at == 0 || !isLetter(text[at-1]) && text[at-1] != '_') {
					found[string(m[len(m)-1])] = true
				}
			}
		}
		switch err {
		case nil:
			kept = copy(buf, text[len(text)-longest:])
		case io.EOF, io.ErrUnexpectedEOF:
			return nil
		default:
			return err
		}
	}
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' }
