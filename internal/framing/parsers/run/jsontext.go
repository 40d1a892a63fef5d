//go:build goexperiment.jsonv2

package main

import (
	"bufio"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
)

func init() { all["jsontext"], all["v2"] = values, lines }

// values takes the values of a stream.
func values(in io.Reader, out *bufio.Writer) int {
	for d := jsontext.NewDecoder(in); ; {
		value, err := d.ReadValue()
		if err != nil {
			return code(err)
		}
		if value.Kind() == '{' && value.Compact() == nil {
			out.Write(append(value, '\n'))
		}
	}
}

// lines takes a value of each line.
func lines(in io.Reader, out *bufio.Writer) int {
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		var frame map[string]any
		if json.Unmarshal(line, &frame) == nil {
			write(out, frame)
		}
		if err != nil {
			return code(err)
		}
	}
}
