package recorded

import (
	"os"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
)

// private replaces what is private, or of the machine that recorded, in texts of a recording.
type private struct{ replace *strings.Replacer }

func newPrivate(dir string, o Options) *private {
	var pairs []string
	for _, s := range o.Secrets {
		pairs = append(pairs, s, "[secret]")
	}
	for _, p := range []struct{ path, name string }{{dir, "{{cwd}}"}, {o.Home, "{{home}}"}} {
		if len(p.path) > 1 {
			pairs = append(pairs, p.path, p.name)
		}
	}
	return &private{strings.NewReplacer(pairs...)}
}

// secret are texts that look like keys.
var secret = regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|` +
	`AIza[\w-]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----`)

// text returns a text in which folders have names that are filled when it is played, and secrets
// are left out.
func (p *private) text(text string) string {
	return p.replace.Replace(fakeapi.Escape(secret.ReplaceAllString(text, "[secret]")))
}

// plain is text for what is compared.
func (p *private) plain(text string) string {
	return p.replace.Replace(secret.ReplaceAllString(text, "[secret]"))
}

// value is text for all texts of a value.
func (p *private) value(v any) any {
	switch v := v.(type) {
	case string:
		return p.text(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = p.value(v[i])
		}
		return list
	case object.Object:
		o := make(object.Object, len(v))
		for i, m := range v {
			o[i] = object.Member{Name: m.Name, Value: p.value(m.Value)}
		}
		return o
	}
	return v
}

// secretNames are parts of the names of variables whose values are secrets.
var secretNames = regexp.MustCompile(`KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL`)

// Secrets returns the values of an environment that are secrets by their names.
func Secrets(environ []string) (list []string) {
	const shortestSecret = 8 // shorter ones are words as any
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if len(value) >= shortestSecret && secretNames.MatchString(name) && !isFile(value) {
			list = append(list, value)
		}
	}
	return list
}

// isFile reports whether a value is the path of a file: such are not secrets by themselves.
func isFile(value string) bool {
	_, err := os.Stat(value)
	return err == nil
}
