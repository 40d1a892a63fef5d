package requests

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// files serves the requests about files and folders.
type files struct{ *Parts }

func (s files) handlers() handlers {
	return handlers{
		"read_file":          {Serve: s.readFile},
		"register_repo_root": {Serve: s.registerRoot},
		"file_suggestions":   {Serve: s.suggestFiles},
		"set_cwd":            {Serve: s.setCwd},
		"claim_session":      {Serve: s.claimSession},
		"rewind_files":       {Serve: s.rewindFiles},
		"get_memory_dialog":  {Serve: s.memoryDialog},
	}
}

// maxRead is how much read_file returns.
const maxRead = 10 << 20

// readFile serves read_file, for files in the working directory.
func (s files) readFile(_ context.Context, r object.Object) (control.Reply, error) {
	path := r.Text("path")
	denied := &control.Error{Text: "read denied: " + path}
	rel, ok := s.Place.Inside(path)
	if !ok {
		return control.Reply{}, denied
	}
	root, err := os.OpenRoot(s.Place.Dir())
	if err != nil {
		return control.Reply{}, denied
	}
	defer root.Close()
	f, err := root.Open(rel)
	if err != nil {
		return control.Reply{}, denied
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return control.Reply{}, denied
	}
	limit := maxRead
	if n, ok := r.Number("max_bytes"); ok && n >= 0 {
		limit = min(limit, int(n))
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return control.Reply{}, denied
	}
	truncated := len(data) > limit
	data = data[:min(len(data), limit)]
	contents, encoding := any(strings.ToValidUTF8(string(data), "\uFFFD")), object.Absent
	if r.Text("encoding") == "base64" {
		contents, encoding = base64.StdEncoding.EncodeToString(data), "base64"
	}
	return control.Reply{Body: object.Of("contents", contents, "absPath", filepath.Join(s.Place.Dir(), rel), "truncated", object.If(truncated, true), "encoding", encoding,
		"lossy", object.If(encoding == object.Absent, !utf8.Valid(data)), "requested_path", path)}, nil
}

// registerRoot serves register_repo_root.
func (s files) registerRoot(_ context.Context, r object.Object) (control.Reply, error) {
	dir, said := s.absolute(r.Text("directory")), r.Text("directory")
	newer := !s.Out.Release().Before("2.1.326")
	if rel, ok := s.Place.Inside(dir); !ok || rel == "." {
		text := fmt.Sprintf("register_repo_root: %s is not a subdirectory of the session's working directory or of a launch-time --add-dir root", said)
		if newer {
			text += " that still leads where it first did"
		}
		return control.Reply{}, &control.Error{Text: text}
	}
	if newer {
		if slices.Contains(s.Policy.Folders(), dir) {
			return control.Reply{}, &control.Error{Text: fmt.Sprintf("register_repo_root: %s is already a registered working directory", said)}
		}
		s.Policy.AddFolders(permission.SessionRules, dir)
	}
	if r.Bool("reload_skills") {
		s.reload()
	}
	return control.Reply{Body: object.Of("directory", dir), Then: func() {
		s.Hooks.Announce("DirectoryAdded", s.Stage.LastOccasion("register_repo_root"), "directory", dir, "source", "register_repo_root")
	}}, nil
}

// absolute returns the path of a file that may be named from the working directory.
func (s files) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Place.Dir(), path)
}

// suggestFiles serves file_suggestions.
func (s files) suggestFiles(_ context.Context, r object.Object) (control.Reply, error) {
	const most = 15
	list := []any{}
	query := strings.ToLower(r.Text("query"))
	if query == "" {
		return control.Reply{Body: object.Of("suggestions", entries(s.Place.Dir()), "cwd", s.Place.Dir())}, nil
	}
	// What cannot be read is not suggested.
	_ = filepath.WalkDir(s.Place.Dir(), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(list) >= most:
			return fs.SkipDir
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		}
		if rel, ok := s.Place.Inside(path); ok && !d.IsDir() && strings.Contains(strings.ToLower(rel), query) {
			list = append(list, object.Of("path", rel))
		}
		return nil
	})
	return control.Reply{Body: object.Of("suggestions", list, "cwd", s.Place.Dir())}, nil
}

// entries are what is in a folder, in the order of the disk, as suggestions. What cannot be read is
// not suggested, nor what is hidden.
func entries(path string) []any {
	list := []any{}
	dir, err := os.Open(path)
	if err != nil {
		return list
	}
	defer dir.Close()
	found, _ := dir.ReadDir(-1)
	for _, e := range found {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		if !strings.HasPrefix(name, ".") {
			list = append(list, object.Of("path", name))
		}
	}
	return list
}

// setCwd serves set_cwd.
func (s files) setCwd(_ context.Context, r object.Object) (control.Reply, error) {
	dir := r.Text("path")
	if dir == "" {
		return control.Reply{}, &control.Error{Text: "set_cwd: invalid request — path must be a non-empty string"}
	}
	if s.Stage.Playing() {
		return control.Reply{Body: object.Of("status", "rejected", "reason", "busy",
			"message", "The working directory can change only while no turn is played. Wait for its end, or interrupt it, and ask again.")}, nil
	}
	dir = s.absolute(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return control.Reply{Body: object.Of("status", "rejected", "reason", "not_found", "message", "Couldn't find a directory at "+dir+".")}, nil
	}
	if !r.Bool("trust_accepted") || r.Text("trusted_directory") != dir {
		return control.Reply{Body: object.Of("status", "needs_trust", "directory", dir)}, nil
	}
	changed := s.move(dir)
	return control.Reply{Body: object.Of("status", "ok", "cwd", dir, "changed", changed, "transcript_relocated", object.If(changed, true)),
		Ready: func() { s.Out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render") }}, nil
}

// move changes the working directory. It reports whether it was another.
func (s files) move(dir string) bool {
	changed := s.Place.Move(dir)
	if s.Tools != nil {
		s.Tools.Move(dir)
	}
	return changed
}

// claimSession serves claim_session, once, in a process that was started to wait for it.
func (s files) claimSession(_ context.Context, r object.Object) (control.Reply, error) {
	if !s.Flags.Has("await-claim") || !s.Host.Claim() {
		return control.Reply{}, &control.Error{Text: "not_a_spare: claim_session is only accepted by a process started with --await-claim that has not been claimed yet"}
	}
	dir := r.Text("cwd")
	s.move(dir)
	trust := r.Object("workspace_trust")
	return control.Reply{
		Body: object.Of("status", "ok", "cwd", dir, "session_id", s.Out.ID(), "parked_ms", 1, "sdk_mcp_settled", true,
			"workspace_trust_recorded", object.If(trust != nil, trust.Bool("accepted") && trust.Text("directory") == dir)),
		Ready: func() {
			s.Out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render")
			if title := r.Text("title"); title != "" {
				s.rename(title)
			}
		},
	}, nil
}

// rewindFiles serves rewind_files: it puts files back to what they were before a message.
func (s files) rewindFiles(_ context.Context, r object.Object) (control.Reply, error) {
	dry := r.Bool("dry_run")
	refused := func(text string) (control.Reply, error) {
		if dry {
			return control.Reply{Body: object.Of("canRewind", false, "error", text)}, nil
		}
		return control.Reply{}, &control.Error{Text: text}
	}
	if !s.Checkpoints.On() {
		return refused("File rewinding is not enabled.")
	}
	change, err := s.Checkpoints.Rewind(r.Text("user_message_id"), dry)
	switch {
	case errors.Is(err, checkpoint.ErrNone):
		return refused("No file checkpoint found for this message.")
	case err != nil:
		return control.Reply{}, err
	case dry:
		return control.Reply{Body: object.Of("canRewind", true, "filesChanged", change.Files, "insertions", change.Insertions, "deletions", change.Deletions)}, nil
	}
	return control.Reply{Body: object.Of("canRewind", true, "skippedLinks", 0)}, nil
}

// memoryDialog serves get_memory_dialog.
func (s files) memoryDialog(context.Context, object.Object) (control.Reply, error) {
	body := s.templateBody("get_memory_dialog")
	list := body.List("files")
	there := func(v any) bool { return v.(object.Object).Bool("exists") }
	for _, f := range list {
		o := f.(object.Object)
		_, err := os.Stat(o.Text("path"))
		o[slices.IndexFunc(o, func(m object.Member) bool { return m.Name == "exists" })].Value = err == nil
	}
	slices.SortStableFunc(list, func(a, b any) int { // those of the user, then those of the project; what is there first
		if there(a) != there(b) {
			if there(a) {
				return -1
			}
			return 1
		}
		return strings.Compare(b.(object.Object).Text("kind"), a.(object.Object).Text("kind"))
	})
	return control.Reply{Body: body.With("files", list)}, nil
}
