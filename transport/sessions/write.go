package sessions

import (
	"os"
	"strings"
	"unicode"

	"github.com/ccwire/ccwire/internal/object"
)

// Rename gives the session a title, without the space around it. A title of nothing but space is an
// [ErrEmpty].
func (s *Session) Rename(title string) error {
	if title = strings.TrimSpace(title); title == "" {
		return s.failed("renaming", ErrEmpty)
	}
	return s.failedIf("renaming", s.add(object.Of("type", "custom-title", "customTitle", title, "sessionId", s.id)))
}

// Tag gives the session a tag in place of the one that it has. Characters that cannot be seen are
// left out, and a tag of nothing else is an [ErrEmpty].
func (s *Session) Tag(tag string) error {
	if tag = strings.TrimSpace(visible(tag)); tag == "" {
		return s.failed("tagging", ErrEmpty)
	}
	return s.failedIf("tagging", s.addTag(tag))
}

// Untag takes the tag away.
func (s *Session) Untag() error { return s.failedIf("untagging", s.addTag("")) }

func (s *Session) addTag(tag string) error {
	return s.add(object.Of("type", "tag", "tag", tag, "sessionId", s.id))
}

func (s *Session) failedIf(what string, err error) error {
	if err == nil {
		return nil
	}
	if os.IsNotExist(err) {
		err = ErrNotFound
	}
	return s.failed(what, err)
}

// visible leaves out format characters, those for private use and those that Unicode does not have.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Co) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc) {
			return -1
		}
		return r
	}, text)
}

// add adds a line to the transcript in one write, as the CLI does, so that a CLI can go on with it
// meanwhile. It does not make a file.
func (s *Session) add(entry object.Object) error {
	f, err := os.OpenFile(s.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var line []byte
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return errEmptyFile
	}
	// A CLI that was killed may have left half a line.
	end := make([]byte, 1)
	if _, err := f.ReadAt(end, info.Size()-1); err != nil {
		return err
	}
	if end[0] != '\n' {
		line = append(line, '\n')
	}
	if _, err := f.Write(append(object.Append(line, entry), '\n')); err != nil {
		return err
	}
	return f.Close()
}

// Delete removes the transcript and those of its subagents. What a CLI that runs the session writes
// afterwards makes a new transcript, without what was said before.
func (s *Session) Delete() error {
	if err := os.Remove(s.path); err != nil {
		return s.failedIf("deleting", err)
	}
	return s.failedIf("deleting", os.RemoveAll(folderOf(s.path)))
}
