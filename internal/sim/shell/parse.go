package shell

import (
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
	// Compound says that the line has more than simple commands, pipes, && || ; and the usual
	// conditions and loops.
	Compound bool
	// Construct is what of that cannot be looked into: "A case statement", "" for nothing with a name.
	Construct string
	// Pipe says that a command reads what another one writes, Background that one is not waited for,
	// Subshell that commands are in brackets.
	Pipe, Background, Subshell bool
}

// Part is a simple command.
type Part struct {
	Text    string // without redirections
	Words   []string
	Assigns []string // NAME=value before the command
	Files   []Redirection
}

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
	l := &Line{}
	for _, s := range f.Stmts {
		l.statement(line, s)
	}
	return l, nil
}

func (l *Line) statement(source string, s *syntax.Stmt) {
	l.Compound = l.Compound || s.Background || s.Coprocess
	l.Background = l.Background || s.Background
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		l.call(source, s, c)
	case *syntax.BinaryCmd:
		l.Pipe = l.Pipe || c.Op == syntax.Pipe || c.Op == syntax.PipeAll
		l.statement(source, c.X)
		l.statement(source, c.Y)
		if len(s.Redirs) > 0 {
			l.Compound = true
		}
	case *syntax.IfClause:
		l.Compound = l.Compound || len(s.Redirs) > 0
		for ; c != nil; c = c.Else {
			l.statements(source, c.Cond)
			l.statements(source, c.Then)
		}
	case *syntax.WhileClause:
		l.Compound = l.Compound || len(s.Redirs) > 0
		l.statements(source, c.Cond)
		l.statements(source, c.Do)
	case *syntax.ForClause:
		l.Compound = l.Compound || len(s.Redirs) > 0
		if w, ok := c.Loop.(*syntax.WordIter); ok {
			for _, item := range w.Items {
				l.look(item)
			}
		} else {
			l.Compound = true
		}
		l.statements(source, c.Do)
	case *syntax.TestClause:
		l.look(c)
		l.Parts = append(l.Parts, Part{Text: text(source, c), Words: []string{"["}})
		l.Compound = l.Compound || len(s.Redirs) > 0
	case *syntax.DeclClause:
		l.Parts = append(l.Parts, Part{Text: text(source, c), Words: append([]string{c.Variant.Value}, l.args(c.Args)...)})
		l.Compound = l.Compound || len(s.Redirs) > 0
	default:
		l.Compound = true
		l.other(s.Cmd)
	}
}

func (l *Line) statements(source string, list []*syntax.Stmt) {
	for _, s := range list {
		l.statement(source, s)
	}
}

// other notes a command that is not looked into.
func (l *Line) other(c syntax.Command) {
	switch c.(type) {
	case nil:
		return
	case *syntax.Subshell:
		l.Subshell = true
	case *syntax.Block, *syntax.ArithmCmd:
		l.Construct = "A group in braces or double parentheses"
	case *syntax.CaseClause:
		l.Construct = "A case statement"
	case *syntax.FuncDecl:
		l.Construct = "A function definition"
	}
	l.look(c)
}

func (l *Line) args(assigns []*syntax.Assign) (words []string) {
	for _, a := range assigns {
		if a.Value != nil {
			l.look(a.Value)
		}
		if a.Name != nil {
			words = append(words, a.Name.Value)
		}
	}
	return words
}

func (l *Line) call(source string, s *syntax.Stmt, c *syntax.CallExpr) {
	p := Part{Text: text(source, c)}
	for _, a := range c.Assigns {
		p.Assigns = append(p.Assigns, text(source, a))
		l.look(a)
	}
	for _, w := range c.Args {
		p.Words = append(p.Words, l.word(w))
	}
	for _, r := range s.Redirs {
		if r.Word == nil || r.Hdoc != nil {
			if r.Word == nil || !quotedWord(r.Word) {
				l.Compound = true
			}
			continue
		}
		switch r.Op {
		case syntax.DplIn, syntax.DplOut, syntax.WordHdoc: // another descriptor, or a text
			l.word(r.Word)
		default:
			p.Files = append(p.Files, Redirection{Path: l.word(r.Word), Write: r.Op != syntax.RdrIn})
		}
	}
	l.Parts = append(l.Parts, p)
}

func text(source string, n syntax.Node) string {
	return source[n.Pos().Offset():n.End().Offset()]
}

// look notes what can not be known before the line runs.
func (l *Line) look(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			l.Nested = true
		case *syntax.ArithmExp:
			l.Variable = true
		case *syntax.ParamExp:
			l.Variable = l.Variable || known(n) == ""
		}
		return true
	})
}

// known returns the name of a variable whose value every session has, "" for another.
func known(n syntax.Node) string {
	if p, ok := n.(*syntax.ParamExp); ok && p.Short && (p.Param.Value == "HOME" || p.Param.Value == "USER") {
		return p.Param.Value
	}
	return ""
}

// word returns a word as plain does. A path below the home directory begins with ~.
func (l *Line) word(w *syntax.Word) string {
	l.look(w)
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
