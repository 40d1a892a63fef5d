package terminal

import "fmt"

// Count returns a number of things, such as "1 line" or "2 lines".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
