package models

// Price is what a model costs, in dollars for a million tokens.
type Price struct {
	Input, Output, CacheRead float64
	Write5m, Write1h         float64 // of tokens that are cached for five minutes, for an hour
	Fast                     float64 // by how much all of it is dearer that comes fast
	Listed                   bool    // the price is the model's own
}

// Search is what one search in the web costs, in dollars.
const Search = 0.01

// PriceOf returns what a model costs. One without a known price costs as much as the default one,
// and nothing more if it is fast.
func PriceOf(model string) Price {
	e, _ := find(model)
	listed := !e.unlisted
	if !listed {
		e, _ = find(Default)
		e.fast = 0
	}
	p := Price{
		Input: e.input, Output: e.write, CacheRead: e.read, Write5m: e.input * 1.25, Write1h: e.input * 2, Fast: 1, Listed: listed,
	}
	if e.fast != 0 {
		p.Fast = e.fast
	}
	return p
}
