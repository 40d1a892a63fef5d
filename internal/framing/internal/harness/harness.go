// Package harness makes a command of parsers of NDJSON, for the framing fuzzer.
package harness

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// A Parser reads a stream, writes what it understood and returns an exit code.
type Parser = func(io.Reader, *bufio.Writer) int

// Main runs the parser that the first argument names. With --persistent after it, the parser gets
// many streams, each in pieces.
func Main(parsers map[string]Parser) {
	many := len(os.Args) == 3 && os.Args[2] == "--persistent"
	if len(os.Args) != 2 && !many || parsers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: run PARSER [--persistent]")
		os.Exit(2)
	}
	parse := parsers[os.Args[1]]
	if many {
		persistent(parse)
		return
	}
	out := bufio.NewWriter(os.Stdout)
	code := parse(os.Stdin, out)
	out.Flush()
	os.Exit(code)
}

// persistent gives a parser one stream after the other.
func persistent(parse Parser) {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		if _, err := in.Peek(1); err != nil {
			return
		}
		s := &pieces{in: in}
		code := parse(s, out)
		io.Copy(io.Discard, s)
		if code != 0 {
			fmt.Fprintf(out, "#error exit code %d\n", code)
		} else {
			fmt.Fprintln(out, "#end")
		}
		out.Flush()
	}
}

// pieces is the reader of one stream. Each read returns a piece, or what is left of it.
type pieces struct {
	in    *bufio.Reader
	left  int
	ended bool
}

func (p *pieces) Read(buf []byte) (int, error) {
	for p.left == 0 && !p.ended {
		line, err := p.in.ReadString('\n')
		if err == nil {
			p.left, err = strconv.Atoi(strings.TrimSpace(line))
		}
		if err != nil {
			return 0, err
		}
		p.ended = p.left == 0
	}
	if p.ended {
		return 0, io.EOF
	}
	n, err := io.ReadFull(p.in, buf[:min(p.left, len(buf))])
	p.left -= n
	return n, err
}
