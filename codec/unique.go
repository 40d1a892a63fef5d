package codec

// unique goes back to a value that has been read, reads it again, and fails if
// a member of an object in it stands twice.
func (d *Decoder) unique(start int) bool {
	d.pos = start
	return d.uniqueNames()
}

func (d *Decoder) uniqueNames() bool {
	switch d.peek() {
	case '{':
		seen := map[string]struct{}{}
		for {
			key, ok := d.Key()
			if !ok {
				return d.kind == 0
			}
			if _, ok := seen[string(key)]; ok {
				return d.Fail(Duplicate, d.pos, "the member stands twice")
			}
			seen[string(key)] = struct{}{}
			if !d.uniqueNames() {
				return false
			}
		}
	case '[':
		if !d.OpenArray() {
			return false
		}
		for i := 0; d.More(i); i++ {
			if !d.uniqueNames() {
				return false
			}
		}
		return d.kind == 0
	}
	return d.skip()
}
