package page

import "testing"

func TestTextIsNeverMarkup(t *testing.T) {
	for text, want := range map[string]string{
		`{"a<b>":"</script><img src=x>"}`: "{\n  <span class=\"k\">&#34;a&lt;b&gt;&#34;</span>: <span class=\"s\">&#34;&lt;/script&gt;&lt;img src=x&gt;&#34;</span>\n}",
		`["x: \"1\"",-1.5e3,null,true]`:   "[\n  <span class=\"s\">&#34;x: \\&#34;1\\&#34;&#34;</span>,\n  <span class=\"n\">-1.5e3</span>,\n  <span class=\"n\">null</span>,\n  <span class=\"n\">true</span>\n]",
	} {
		if got, err := highlight([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%s:\n%s, %v, want\n%s", text, got, err, want)
		}
	}
	if got := prose("a <b> `<i>`"); got != "a &lt;b&gt; <code>&lt;i&gt;</code>" {
		t.Error(got)
	}
}
