package codec

// An Object is the reading of one object.
type Object struct {
	shape  *Shape
	at     int // offset of the object
	member int // the member that is being read
	value  int // offset of its value
	depth  int
	seen   Bits
}

// Begin starts to read an object. Tags says how many of its tags have been read
// already, the first of them as its first members; the object then began at at.
func (o *Object) Begin(d *Decoder, s *Shape, at, tags int) bool {
	o.shape, o.at, o.member = s, at, -1
	if tags == 0 {
		if !d.Open() {
			return false
		}
		o.at = d.pos
	}
	for i := range tags {
		o.member = s.Tags[i]
		o.seen.add(o.member)
	}
	o.depth = d.depth
	return true
}

// Next moves to the next member that the schema names and returns its number,
// or -1 at the end of the object and after a failure. Members that the schema
// does not name are kept in extra on the way.
func (o *Object) Next(d *Decoder, extra **Members) int {
	s := o.shape
	next := o.member + 1
	// The guess: the member that usually comes next.
	if next < len(s.Keys) && d.pos < len(d.data) && (d.data[d.pos] == ',' || d.pos == o.at) {
		key := s.Keys[next]
		if rest := d.data[d.pos+1:]; begins(rest, key) {
			d.pos += 1 + len(key)
			return o.found(d, next)
		}
	}
	for {
		key, ok := d.Key()
		if !ok {
			return -1
		}
		if i := s.member(key); i >= 0 {
			return o.found(d, i)
		}
		if !d.Extra(extra, key, s.legacy(key)) {
			return -1
		}
	}
}

// begins reports whether text begins with a key, in quotes and with its colon.
// The first letter saves most comparisons.
func begins(text []byte, key string) bool {
	return len(text) >= len(key) && text[1] == key[1] && string(text[:len(key)]) == key
}

func (o *Object) found(d *Decoder, i int) int {
	o.member, o.value = i, d.pos
	if o.seen.has(i) {
		d.Fail(Duplicate, d.pos, "the member stands twice")
		return -1
	}
	o.seen.add(i)
	return i
}

// Keep recovers from an optional member that did not decode: it goes back to
// the value and keeps it raw beside the unknown members. It fails in strict
// mode, and when the text itself is broken.
func (o *Object) Keep(d *Decoder, extra **Members) bool {
	v, ok := d.Salvage(Mark{pos: o.value, depth: o.depth})
	if ok {
		addMember(extra, o.shape.Names[o.member], v)
	}
	return ok
}

// End reports whether the object has been read to its end and has every
// required member.
func (o *Object) End(d *Decoder) bool {
	if d.kind != 0 {
		return false
	}
	d.depth--
	need := &o.shape.Need
	if need[0]&^o.seen[0]|need[1]&^o.seen[1] == 0 {
		return true
	}
	for i, name := range o.shape.Names {
		if need.has(i) && !o.seen.has(i) {
			return d.Lacks(o.at, name)
		}
	}
	return true
}

// Unmarshal reads data into v, which is left alone if that fails.
func Unmarshal[T any](v *T, data []byte, o *Options, read func(*T, *Decoder) bool) error {
	var d Decoder
	d.Reset(data, o)
	var fresh T
	if !read(&fresh, &d) || !d.Finish() {
		return d.Err()
	}
	*v = fresh
	return nil
}
