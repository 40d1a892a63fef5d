package schema

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// decode checks text and returns its value: nil, bool, string, json.Number, []any or
// map[string]any. The error is a [*codec.Error].
func decode(text []byte) (any, error) {
	if err := scan(text); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, &codec.Error{Kind: codec.Syntax, Offset: -1, Want: err.Error(), Err: err}
	}
	return tame(doc), nil
}

// tame replaces the numbers in v by ones that are cheap to compute with.
func tame(v any) any {
	switch v := v.(type) {
	case json.Number:
		return tameNumber(v)
	case []any:
		for i := range v {
			v[i] = tame(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = tame(v[name])
		}
	}
	return v
}

// tooLarge is the smallest number that rounds to infinity in 64 bits of floating point: 2^1024 -
// 2^970.
var tooLarge = func() string {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, 1024), new(big.Int).Lsh(one, 970)).String()
}()

// tameNumber keeps what schemas ask of a number: whether it is whole, its value if that may fit
// into 64 bits, and whether it is too large for floating point. A literal such as 1e1000000 would
// take megabytes as an exact number.
func tameNumber(n json.Number) json.Number {
	const digits = 25
	s := string(n)
	if len(s) <= digits && !strings.ContainsAny(s, ".eE") {
		return n
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	mantissa, power := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, power = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	scale := -len(fraction)
	if power != "" {
		e, err := strconv.Atoi(power)
		if err != nil || e > 1<<30 || e < -1<<30 {
			e = 1 << 30
			if power[0] == '-' {
				e = -e
			}
		}
		scale += e
	}
	all := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(all, "0")
	scale += len(all) - len(significant)
	switch size := len(significant) + scale; {
	case significant == "":
		return "0"
	case size > len(tooLarge):
		return json.Number(sign + "1" + strings.Repeat("0", len(tooLarge)))
	case size == len(tooLarge): // near the limit: exact but for a fraction
		return json.Number(sign + (significant + strings.Repeat("0", max(scale, 0)))[:size])
	case scale < 0:
		return json.Number(sign + "0.5")
	case size > digits:
		return json.Number(sign + "1" + strings.Repeat("0", digits))
	default:
		return json.Number(sign + significant + strings.Repeat("0", scale))
	}
}
