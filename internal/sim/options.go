package sim

import (
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/internal/sim/flags"
)

// numbers are the flags whose values must be numbers, with what is said of others.
var numbers = []struct{ name, shown, text string }{
	{"max-budget-usd", "--max-budget-usd <amount>", "--max-budget-usd must be a positive number greater than 0"},
	{"max-turns", "--max-turns <turns>", "must be a number"},
	{"max-thinking-tokens", "--max-thinking-tokens <tokens>", "must be a number"},
}

// checkNumbers returns what is wrong with a flag whose value must be a number, "" if nothing is.
func checkNumbers(o *flags.Set) string {
	for _, f := range numbers {
		if !o.Has(f.name) {
			continue
		}
		n, err := strconv.ParseFloat(o.Value(f.name), 64)
		if err != nil || f.name == "max-budget-usd" && n <= 0 {
			return fmt.Sprintf("error: option '%s' argument '%s' is invalid. %s", f.shown, o.Value(f.name), f.text)
		}
	}
	return ""
}
