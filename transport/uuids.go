package transport

import "sync"

// maxUUIDs is how many uuids of user messages a session remembers, which takes 2 MB.
const maxUUIDs = 1 << 14

// uuids are those of the last user messages that were sent.
type uuids struct {
	mu   sync.Mutex          // guards the fields below
	set  map[string]struct{} // those of list
	list []string            // a ring once it is full
	next int                 // the oldest one of a full ring
}

// add remembers a uuid. It reports false for one that is there already.
func (u *uuids) add(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ok := u.set[id]; ok {
		return false
	}
	if u.set == nil {
		u.set = map[string]struct{}{}
	}
	u.set[id] = struct{}{}
	if len(u.list) < maxUUIDs {
		u.list = append(u.list, id)
		return true
	}
	delete(u.set, u.list[u.next])
	u.list[u.next] = id
	u.next = (u.next + 1) % maxUUIDs
	return true
}

// remove forgets a uuid whose message was not sent.
func (u *uuids) remove(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.set, id)
}
