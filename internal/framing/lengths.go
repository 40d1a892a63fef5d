package framing

import (
	"fmt"
	"strings"
)

// boundaries are sizes of buffers that parsers have.
var boundaries = []int{256, 1024, 4096, 8192, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20}

// lengths returns streams whose lines are as long as a usual buffer, a little shorter or longer, or
// much longer.
func lengths() []Stream {
	var all []Stream
	add := func(name, data string) { all = append(all, Stream{Name: name, Data: []byte(data)}) }
	for _, size := range boundaries {
		for off := -1; off <= 1; off++ {
			add(fmt.Sprintf("line of %d bytes", size+off), between(sized(7, size+off, "x")))
		}
		add(fmt.Sprintf("noise of %d bytes", size+1), between(strings.Repeat("x", size+1)))
		add(fmt.Sprintf("character across byte %d", size), straddling(size))
	}
	add("line of 3 MiB", between(sized(7, 3<<20, "x")))
	add("line of 11 MiB", between(sized(7, 11<<20, "x")))
	add("line of 2 MiB of escapes", between(sized(7, 2<<20, `\n`)))
	add("last line of 100000 bytes without LF", "{\"n\":1}\n"+sized(2, 100_000, "x"))
	add("5000 frames", manyFrames(5000, ""))
	add("5000 frames with noise between", manyFrames(5000, "noise\n"))
	add("3000 frames of 300 bytes", manyFrames(3000, sized(0, 300, "x")+"\n"))
	add("20000 blank lines", between(strings.Repeat("\n", 20_000)))
	return all
}

// sized returns a frame of so many bytes.
func sized(n, size int, fill string) string {
	head := fmt.Sprintf(`{"n":%d,"text":"`, n)
	room := size - len(head) - len(`"}`)
	text := strings.Repeat(fill, room/len(fill)) + strings.Repeat("x", room%len(fill))
	return head + text + `"}`
}

// straddling returns a stream with a character of four bytes on both sides of an offset.
func straddling(offset int) string {
	head := "{\"n\":1}\n{\"n\":7,\"text\":\""
	return head + strings.Repeat("x", offset-2-len(head)) + "😀\"}\n{\"n\":2}\n"
}

func manyFrames(count int, between string) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "{\"n\":%d}\n%s", i, between)
	}
	return b.String()
}
