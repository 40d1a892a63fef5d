// Package gztext compresses texts that are built into a program, and reads them.
package gztext

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
)

// Pack compresses a text. No time and no name of a system is in the result, so that the same text
// gives the same bytes with the same compressor.
func Pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Read returns the text that was packed.
func Read(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	size := textSize(packed) + bytes.MinRead // which ReadFrom wants to be free at the end
	text := bytes.NewBuffer(make([]byte, 0, size))
	if _, err := text.ReadFrom(r); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// Must is Read for what is built in: it panics where the data is damaged.
func Must(packed []byte) []byte {
	text, err := Read(packed)
	if err != nil {
		panic(err) // a test of the package that embeds it reads it
	}
	return text
}

// textSize returns how long the text is. The last four bytes say so; damaged ones are not believed
// more than can be.
func textSize(packed []byte) int {
	const most = 1032 // bytes of text that a byte can stand for
	if len(packed) < 4 {
		return 0
	}
	return int(min(uint64(binary.LittleEndian.Uint32(packed[len(packed)-4:])), uint64(len(packed))*most))
}
