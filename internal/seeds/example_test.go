package seeds_test

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/seeds"
)

func ExampleFrames() {
	fmt.Printf("%s\n", seeds.Frames()[1].Data)
	// Output: {"type":"keep_alive"}
}
