package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Line is a command line, read but not run.
type Line struct {
	// Parts are the simple commands, in order.
	Parts []Part
	// Nested says that a command's output is part of another command.
	Nested bool
	// Variable says that a word has a value that is known only when the line runs.
	Variable bool
	// Expands says that a word has a variable in it, be its value known or not.
	Expands bool
	// Compound says that the line has more than simple commands, pipes, && || ; and the usual
	// conditions and loops.
	Compound bool
	// Construct is what of that cannot be looked into: "A case statement", "" for nothing with a
	// name.
	Construct string
	// Segments are what is before, between and after pipes; none if there is no pipe.
	Segments []Segment
	// Braces says that a word stands for several, as a{b,c} does.
	Braces bool
	// Exports says that a value is used which the line itself has exported.
	Exports bool
	// Declares is the command that declares a variable whose value is the output of another one,
	// and Declared is that variable; "" for none.
	Declares, Declared string
	// Sets are the variables that the line sets, each alone, in order. They are not among the
	// parts; the commands whose output is the value are.
	Sets []Set
	// Background says that a command is not waited for, Subshell that commands are in brackets.
	Background, Subshell bool
}

// Segment is what is between two pipes: text of the line, and the parts in it.
type Segment struct {
	Text       string
	Start, End int // of Parts
}

// Part is a simple command.
type Part struct {
	Text    string // without redirections
	Words   []string
	Assigns []string // NAME=value before the command
	Files   []Redirection
	Inner   int // how many of the parts before it are run for its words
}

// Set is a variable and its value as it is written.
type Set struct{ Name, Value string }

// Redirection is a file that a part of a line reads or writes.
type Redirection struct {
	Path  string
	Write bool
}

// Parse reads a command line as bash does.
func Parse(line string) (*Line, error) {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, err
	}
	r := &reader{Line: &Line{}, source: line, exported: map[string]string{}}
	r.statements(f.Stmts)
	if len(r.Segments) > 0 {
		r.segment(len(line), len(line))
	}
	return r.Line, nil
}

// reader makes a Line of the tree of a command line.
type reader struct {
	*Line
	source   string
	next     int // where the text of the next segment begins
	exported map[string]string
	outputs  []string // variables that are set to the output of a command
}

// segment notes a segment that ends before an operator.
func (r *reader) segment(operator, after int) {
	start := 0
	if n := len(r.Segments); n > 0 {
		start = r.Segments[n-1].End
	}
	r.Segments = append(r.Segments, Segment{Text: strings.TrimSpace(r.source[r.next:operator]), Start: start, End: len(r.Parts)})
	r.next = after
}

func (r *reader) statements(list []*syntax.Stmt) {
	for _, s := range list {
		r.statement(s)
	}
}

func (r *reader) statement(s *syntax.Stmt) {
	r.Compound = r.Compound || s.Background || s.Coprocess
	r.Background = r.Background || s.Background
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		r.call(s, c)
		return
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		r.statement(c.X)
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			at := int(c.OpPos.Offset())
			r.segment(at, at+len(c.Op.String()))
		}
		r.statement(c.Y)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.statements(c.Cond)
			r.statements(c.Then)
		}
	case *syntax.WhileClause:
		r.statements(c.Cond)
		r.statements(c.Do)
	case *syntax.ForClause:
		if w, ok := c.Loop.(*syntax.WordIter); ok {
			for _, item := range w.Items {
				r.look(item)
			}
		} else {
			r.Compound = true
		}
		r.statements(c.Do)
	case *syntax.TimeClause:
		r.time(c)
	case *syntax.TestClause:
		r.look(c)
		r.Parts = append(r.Parts, Part{Text: r.text(c), Words: []string{"["}})
	case *syntax.DeclClause:
		r.Parts = append(r.Parts, Part{Text: r.text(c), Words: append([]string{c.Variant.Value}, r.args(c)...)})
	default:
		r.Compound = true
		r.other(s.Cmd)
	}
	r.Compound = r.Compound || len(s.Redirs) > 0
}

// time reads the word time as the name of a command.
func (r *reader) time(c *syntax.TimeClause) {
	first := len(r.Parts)
	if c.Stmt != nil {
		r.statement(c.Stmt)
	}
	if first == len(r.Parts) {
		r.Parts = append(r.Parts, Part{Text: r.text(c), Words: []string{"time"}})
		return
	}
	p := &r.Parts[first]
	p.Text, p.Words = "time "+p.Text, append([]string{"time"}, p.Words...)
}

// other notes a command that is not looked into.
func (r *reader) other(c syntax.Command) {
	switch c := c.(type) {
	case nil:
		return
	case *syntax.Subshell:
		r.Subshell = len(c.Stmts) == 1
	case *syntax.Block, *syntax.ArithmCmd:
		r.Construct = "A group in braces or double parentheses"
	case *syntax.CaseClause:
		r.Construct = "A case statement"
	case *syntax.FuncDecl:
		r.Construct = "A function definition"
	}
	r.look(c)
}

// args returns the names that a declaration has.
func (r *reader) args(c *syntax.DeclClause) (words []string) {
	for _, a := range c.Args {
		if a.Value != nil {
			r.look(a.Value)
		}
		if a.Name != nil && outputOf(a) != nil {
			r.Declares, r.Declared = c.Variant.Value, a.Name.Value
		}
		if a.Name == nil {
			continue
		}
		words = append(words, a.Name.Value)
		if c.Variant.Value == "export" && a.Value != nil {
			r.exported[a.Name.Value] = plain(a.Value)
		}
	}
	return words
}

// set notes a variable that is set and nothing else. It reports false for any other command.
func (r *reader) set(s *syntax.Stmt, c *syntax.CallExpr) bool {
	if len(c.Args) > 0 || len(c.Assigns) != 1 || len(s.Redirs) > 0 || c.Assigns[0].Index != nil || c.Assigns[0].Array != nil {
		return false
	}
	set := Set{Name: c.Assigns[0].Name.Value}
	if value := c.Assigns[0].Value; value != nil {
		set.Value = r.text(value)
		if o := outputOf(c.Assigns[0]); o != nil {
			r.statements(o.Stmts)
			r.outputs = append(r.outputs, set.Name)
		} else {
			r.look(value)
		}
	}
	r.Sets = append(r.Sets, set)
	return true
}

// outputOf returns the command whose output is the value of a variable, nil for any other value.
func outputOf(a *syntax.Assign) *syntax.CmdSubst {
	if a.Value == nil || len(a.Value.Parts) != 1 {
		return nil
	}
	if o, ok := a.Value.Parts[0].(*syntax.CmdSubst); ok && !slices.ContainsFunc(o.Stmts, piped) {
		return o
	}
	return nil
}

func (r *reader) call(s *syntax.Stmt, c *syntax.CallExpr) {
	if r.set(s, c) {
		return
	}
	p := Part{Text: r.text(c)}
	before := len(r.Parts)
	for _, a := range c.Assigns {
		p.Assigns = append(p.Assigns, r.text(a))
		if o := outputOf(a); o != nil {
			r.statements(o.Stmts)
		} else {
			r.look(a)
		}
	}
	for _, w := range c.Args {
		p.Words = append(p.Words, r.word(w))
	}
	for _, f := range s.Redirs {
		if f.Word == nil || f.Hdoc != nil {
			if f.Word == nil || !quotedWord(f.Word) {
				r.Compound = true
			}
			continue
		}
		switch f.Op {
		case syntax.DplIn, syntax.DplOut, syntax.WordHdoc: // another descriptor, or a text
			r.word(f.Word)
		default:
			p.Files = append(p.Files, Redirection{Path: r.word(f.Word), Write: f.Op != syntax.RdrIn})
		}
	}
	p.Inner = len(r.Parts) - before
	r.Parts = append(r.Parts, p)
}

// text returns what a node is in the line, with the values that the line has exported.
func (r *reader) text(n syntax.Node) string {
	text := r.source[n.Pos().Offset():n.End().Offset()]
	if len(r.exported) == 0 {
		return text
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		if value, ok := r.export(n); ok {
			text = strings.Replace(text, r.source[n.Pos().Offset():n.End().Offset()], value, 1)
		}
		return true
	})
	return text
}

// export returns the value that a variable has by the line itself.
func (r *reader) export(n syntax.Node) (string, bool) {
	p, ok := n.(*syntax.ParamExp)
	if !ok || !p.Short {
		return "", false
	}
	value, ok := r.exported[p.Param.Value]
	return value, ok
}

var (
	braces = regexp.MustCompile(`(^|[^\\])\{[^{}]*,[^{}]*\}`)
	span   = regexp.MustCompile(`(^|[^\\])\{[^{},]+\.\.[^{},]+\}`)
	number = regexp.MustCompile(`^[0-9]+$`)
)

// look notes what can not be known before the line runs.
func (r *reader) look(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			r.Nested = true
		case *syntax.Word:
			r.literals(n)
		case *syntax.SglQuoted:
			if n.Dollar {
				r.Construct = "Text with escape codes"
			}
		case *syntax.DblQuoted:
			if n.Dollar {
				r.Construct = "A translated text"
			}
			if i := slices.IndexFunc(n.Parts, ofEveryShell); i >= 0 && i+1 < len(n.Parts) {
				r.Expands = true
				rest := *n
				rest.Parts = slices.Delete(slices.Clone(n.Parts), i, i+1)
				r.look(&rest)
				return false
			}
			if spaced(n) {
				r.quoted(n)
				return false
			}
		case *syntax.ArithmExp:
			varies := !constant(n)
			r.Variable, r.Expands = r.Variable || varies, r.Expands || varies
			return false
		case *syntax.ParamExp:
			r.Expands = true
			if _, ok := r.export(n); ok {
				r.Exports = true
			} else {
				r.Variable = r.Variable || known(n) == ""
			}
		}
		return true
	})
}

// literals notes the braces of a word.
func (r *reader) literals(w *syntax.Word) {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			r.Braces = r.Braces || braces.MatchString(l.Value)
			if span.MatchString(l.Value) {
				r.Construct = "A brace pattern"
			}
		}
	}
}

// ofEveryShell reports whether a part of a text in quotes is a variable that every shell has. It
// counts as known if there is more of the text after it.
func ofEveryShell(p syntax.WordPart) bool {
	v, ok := p.(*syntax.ParamExp)
	return ok && v.Short && slices.Contains([]string{"USER", "PWD", "SHELL"}, v.Param.Value)
}

// quoted looks at a text with commands in it: they are parts of the line.
func (r *reader) quoted(q *syntax.DblQuoted) {
	for _, p := range q.Parts {
		c, ok := p.(*syntax.CmdSubst)
		switch {
		case r.output(p):
			r.Expands = true
		case !ok:
			r.look(p)
		case slices.ContainsFunc(c.Stmts, piped):
			r.Nested = true
		default:
			r.statements(c.Stmts)
		}
	}
}

// output reports whether a part of a text is a variable that the line has set to the output of a
// command.
func (r *reader) output(p syntax.WordPart) bool {
	v, ok := p.(*syntax.ParamExp)
	return ok && v.Short && slices.Contains(r.outputs, v.Param.Value)
}

func piped(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll || piped(c.X) || piped(c.Y))
}

// spaced reports whether a text has a space, and with it can be no name.
func spaced(q *syntax.DblQuoted) bool {
	return slices.ContainsFunc(q.Parts, func(p syntax.WordPart) bool {
		l, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(l.Value, " \t")
	})
}

// constant reports whether an expression has numbers alone.
func constant(a *syntax.ArithmExp) bool {
	yes := true
	syntax.Walk(a, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			yes = yes && number.MatchString(plain(w))
		}
		return yes
	})
	return yes
}

// known returns the name of a variable whose value every session has, "" for another.
func known(n syntax.Node) string {
	if p, ok := n.(*syntax.ParamExp); ok && p.Short && p.Param.Value == "HOME" {
		return p.Param.Value
	}
	return ""
}

// word returns a word as plain does. A path below the home directory begins with ~.
func (r *reader) word(w *syntax.Word) string {
	r.look(w)
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(q.Parts) > 0 && known(q.Parts[0]) == "HOME" {
		return "~" + plain(&syntax.Word{Parts: append([]syntax.WordPart{&syntax.DblQuoted{Parts: q.Parts[1:]}}, parts[1:]...)})
	}
	if known(parts[0]) == "HOME" {
		return "~" + plain(&syntax.Word{Parts: parts[1:]})
	}
	return plain(w)
}

// quotedWord reports whether a part of a word is in quotes.
func quotedWord(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		}
	}
	return false
}

func literal(b *strings.Builder, p syntax.WordPart) {
	switch p := p.(type) {
	case *syntax.Lit:
		for i := 0; i < len(p.Value); i++ {
			if p.Value[i] == '\\' && i+1 < len(p.Value) {
				i++
			}
			b.WriteByte(p.Value[i])
		}
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			literal(b, q)
		}
	default:
		b.WriteByte('$')
	}
}
