package object

// Object is a JSON object. Members are in the order in which they were set.
type Object []Member

// Member is one member of an object.
type Member struct {
	Name  string
	Value any
}

// Of returns an object of pairs of name and value. A value that is [Absent] is left out.
func Of(pairs ...any) Object {
	o := make(Object, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != Absent {
			o = append(o, Member{pairs[i].(string), pairs[i+1]})
		}
	}
	return o
}

type absent struct{}

// Absent is the value of a member that is not there, for [Of] and [Object.Set].
var Absent any = absent{}

// If returns the value if the condition holds, [Absent] otherwise.
func If(condition bool, value any) any {
	if condition {
		return value
	}
	return Absent
}

// Lookup returns the value of a member, and whether it is there.
func (o Object) Lookup(name string) (any, bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Has reports whether there is such a member.
func (o Object) Has(name string) bool {
	_, ok := o.Lookup(name)
	return ok
}

// Get returns the value of a member, nil if there is none.
func (o Object) Get(name string) any {
	v, _ := o.Lookup(name)
	return v
}

// Text returns a member that is a text, "" if it is something else.
func (o Object) Text(name string) string {
	s, _ := o.Get(name).(string)
	return s
}

// Bool reports whether a member is true.
func (o Object) Bool(name string) bool { return o.Get(name) == true }

// Number returns a member that is a number.
func (o Object) Number(name string) (float64, bool) {
	switch n := o.Get(name).(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}

// Object returns a member that is an object, nil if it is something else.
func (o Object) Object(name string) Object {
	v, _ := o.Get(name).(Object)
	return v
}

// List returns a member that is a list, nil if it is something else.
func (o Object) List(name string) []any {
	v, _ := o.Get(name).([]any)
	return v
}

// Set sets a member, at its place if it is there and at the end if not. [Absent] removes it.
func (o *Object) Set(name string, value any) {
	for i := range *o {
		if (*o)[i].Name != name {
			continue
		}
		if value == Absent {
			*o = append((*o)[:i:i], (*o)[i+1:]...)
		} else {
			(*o)[i].Value = value
		}
		return
	}
	if value != Absent {
		*o = append(*o, Member{name, value})
	}
}

// Pairs returns the members as names and values, as [Of] takes them.
func (o Object) Pairs() []any {
	list := make([]any, 0, 2*len(o))
	for _, m := range o {
		list = append(list, m.Name, m.Value)
	}
	return list
}

// With returns a copy with the pairs of name and value set.
func (o Object) With(pairs ...any) Object {
	c := make(Object, len(o), len(o)+len(pairs)/2)
	copy(c, o)
	for i := 0; i+1 < len(pairs); i += 2 {
		c.Set(pairs[i].(string), pairs[i+1])
	}
	return c
}

// Without returns a copy that lacks the members.
func (o Object) Without(names ...string) Object {
	c := append(Object(nil), o...)
	for _, n := range names {
		c.Set(n, Absent)
	}
	return c
}

// Clone returns a deep copy of a value.
func Clone(v any) any {
	switch v := v.(type) {
	case Object:
		c := make(Object, len(v))
		for i := range v {
			c[i] = Member{v[i].Name, Clone(v[i].Value)}
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = Clone(v[i])
		}
		return c
	}
	return v
}
