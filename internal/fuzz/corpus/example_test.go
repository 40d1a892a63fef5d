package corpus_test

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/fuzz/corpus"
)

func ExampleFrames() {
	fmt.Printf("%s\n", corpus.Frames()[1].Data)
	// Output: {"type":"keep_alive"}
}
