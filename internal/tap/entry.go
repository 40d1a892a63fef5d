package tap

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/recording"
)

// appendLine appends the entry of a line, with its LF. The time is in milliseconds, as text.
func appendLine(dst []byte, dir recording.Dir, at []byte, p *piece) []byte {
	dst = append(dst, `{"dir":"`...)
	dst = append(dst, dir...)
	dst = append(dst, `","t_ms":`...)
	dst = append(dst, at...)
	text := p.text
	if p.length > 0 { // a rune may be cut in two
		text = bytes.ToValidUTF8(text, nil)
	}
	exact := utf8.Valid(text)
	if !exact {
		dst = append(dst, `,"line_b64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, text)
		dst = append(dst, '"')
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	dst = append(dst, `,"line":`...)
	dst, _ = jsontext.AppendString(dst, jsontext.Shared(text)) // it is UTF-8
	if p.unterminated {
		dst = append(dst, `,"unterminated":true`...)
	}
	if p.length > 0 {
		dst = append(dst, `,"truncated_from_chars":`...)
		dst = strconv.AppendInt(dst, p.length, 10)
	}
	return append(dst, '}', '\n')
}

func appendMilliseconds(dst []byte, at time.Duration) []byte {
	return strconv.AppendFloat(dst, milliseconds(at), 'f', 3, 64)
}

// milliseconds returns a time with three decimals.
func milliseconds(at time.Duration) float64 { return float64(at.Microseconds()) / 1000 }
