package framing

import "strings"

// pieces returns streams that arrive in parts.
func pieces() []Stream {
	var all []Stream
	cut := func(name, data string, cuts []int) {
		all = append(all, Stream{Name: name, Data: []byte(data), Cuts: cuts})
	}
	bytewise := func(name, middle string) {
		data := between(middle)
		cut(name+", byte by byte", data, everyByte(len(data)))
	}
	bytewise("frames", frame(7, "abc")+"\n"+frame(8, `a\n\"b\\`))
	bytewise("characters", frame(7, "é漢😀")+"\n"+frame(8, `\ud83d\ude00`))
	bytewise("carriage returns", "{\"n\":7}\r\n\r\n{\"n\":8}\r")
	bytewise("noise", "noise {\n{\"n\":7,\n{\"n\":8}")
	bytewise("line separators", frame(7, "\u2028\u2029\u0085"))
	bytewise("byte-order mark", "\ufeff{\"n\":7}")
	bytewise("invalid UTF-8", frame(7, "\xe2\x80")+"\n"+frame(8, "\xff"))

	last := "{\"n\":1}\n{\"n\":2}"
	cut("last line without LF, byte by byte", last, everyByte(len(last)))
	cut("pause before the LF", "{\"n\":1}\n", []int{7})
	cut("pause after the LF", "{\"n\":1}\n{\"n\":2}\n", []int{8})
	cut("pause between CR and LF", "{\"n\":1}\r\n{\"n\":2}\r\n", []int{8, 17})
	cut("pause in an escape", frame(1, `a\u00e9b`)+"\n", []int{19})
	cut("pause inside a frame that is whole so far", "{\"n\":1} \n{\"n\":2}\n", []int{7, 16})
	cut("several frames in one write, the last one cut", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n", []int{20})
	cut("noise cut in the middle", "noi{se\n{\"n\":1}\n", []int{3, 4})
	long := between(sized(7, 200_000, "x"))
	for _, step := range []int{1000, 4096, 65536} {
		cut("long line in steps", long, every(step, len(long)))
	}
	wide := between(frame(7, strings.Repeat("漢", 2000)))
	cut("characters in steps of 4", wide, every(4, len(wide)))
	return all
}
