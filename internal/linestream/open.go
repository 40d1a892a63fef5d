package linestream

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Stdin is the name that stands for the standard input.
const Stdin = "-"

// Open opens a file, or stdin for the name "-", and unpacks it if it is gzip. Close closes the
// file, never stdin.
func Open(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		src, err := unpack("standard input", stdin)
		return source{src, func() error { return nil }}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, plain(name, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is a folder; give the files in it", name)
	}
	src, err := unpack(name, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return source{src, f.Close}, nil
}

// source is what Open returns: the lines come from the first, the second ends it.
type source struct {
	io.Reader
	close func() error
}

func (s source) Close() error { return s.close() }

// unpack looks at the first bytes and puts a gzip reader before src if they say so.
func unpack(name string, src io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(src)
	magic, err := buffered.Peek(2)
	if err != nil && err != io.EOF {
		return nil, plain(name, err)
	}
	if len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, plain(name, err)
		}
		return named{name, unzipped}, nil
	}
	if strings.HasSuffix(name, ".gz") {
		return nil, fmt.Errorf("%s: is not gzip data, though its name ends in .gz", name)
	}
	return named{name, buffered}, nil
}

// named puts the name of the input into the errors of its source.
type named struct {
	name string
	src  io.Reader
}

func (n named) Read(p []byte) (int, error) {
	got, err := n.src.Read(p)
	if err != nil && err != io.EOF {
		err = plain(n.name, err)
	}
	return got, err
}

// plain says what is wrong with an input in words for people.
func plain(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%s: the gzip data is cut off: %w", name, err)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("%s: the gzip data is damaged: %w", name, err)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s: is a folder; give the files in it", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}
