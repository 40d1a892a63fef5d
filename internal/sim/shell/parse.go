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
	// Compound says that the line has more than simple commands, pipes, && || and ;.
	Compound bool
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
	l.Compound = l.Compound || s.Negated || s.Background || s.Coprocess
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		l.call(source, s, c)
	case *syntax.BinaryCmd:
		l.statement(source, c.X)
		l.statement(source, c.Y)
		if len(s.Redirs) > 0 {
			l.Compound = true
		}
	case *syntax.DeclClause:
		l.Parts = append(l.Parts, Part{Text: text(source, c), Words: append([]string{c.Variant.Value}, l.args(c.Args)...)})
		l.Compound = l.Compound || len(s.Redirs) > 0
	default:
		l.Compound = true
		if s.Cmd != nil {
			l.look(s.Cmd)
		}
	}
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
			l.Compound = true
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
		case *syntax.ParamExp, *syntax.ArithmExp:
			l.Variable = true
		}
		return true
	})
}

// word returns a word as plain does.
func (l *Line) word(w *syntax.Word) string {
	l.look(w)
	return plain(w)
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
