package turn

// Next is closed when the turn goes on after the last use of a message: the model is asked again,
// or the turn is over. It is nil for a use that is not the last, or that others run beside.
func (u *Use) Next() <-chan struct{} { return u.next }

// lead tells the last use of a message when the turn goes on after it.
func (t *Turn) lead(uses []*Use) {
	if len(uses) == 1 && uses[0].begun == nil {
		t.next = make(chan struct{})
		uses[0].next = t.next
	}
}

// goOn says that the turn goes on after the tools that it has used.
func (t *Turn) goOn() {
	if t.next != nil {
		close(t.next)
		t.next = nil
	}
}
