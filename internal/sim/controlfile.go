package sim

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/object"
)

func init() {
	controls["read_file"] = control{serve: (*Session).readFile}
	controls["register_repo_root"] = control{serve: (*Session).registerRoot}
	controls["file_suggestions"] = control{serve: (*Session).suggestFiles}
	controls["set_cwd"] = control{serve: (*Session).setCwd}
	controls["claim_session"] = control{serve: (*Session).claimSession}
	controls["rewind_files"] = control{serve: (*Session).rewindFiles}
	controls["get_memory_dialog"] = control{serve: (*Session).memoryDialog}
}

// maxRead is how much read_file returns.
const maxRead = 10 << 20

// readFile serves read_file, for files in the working directory.
func (s *Session) readFile(_ context.Context, r object.Object) (reply, error) {
	path := r.Text("path")
	denied := &controlError{text: "read denied: " + path}
	rel, ok := s.place.Inside(path)
	if !ok {
		return reply{}, denied
	}
	root, err := os.OpenRoot(s.place.Dir())
	if err != nil {
		return reply{}, denied
	}
	defer root.Close()
	f, err := root.Open(rel)
	if err != nil {
		return reply{}, denied
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return reply{}, denied
	}
	limit := maxRead
	if n, ok := r.Number("max_bytes"); ok && n >= 0 {
		limit = min(limit, int(n))
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return reply{}, denied
	}
	truncated := len(data) > limit
	data = data[:min(len(data), limit)]
	contents, encoding := any(strings.ToValidUTF8(string(data), "\uFFFD")), object.Absent
	if r.Text("encoding") == "base64" {
		contents, encoding = base64.StdEncoding.EncodeToString(data), "base64"
	}
	return reply{body: object.Of("contents", contents, "absPath", filepath.Join(s.place.Dir(), rel), "truncated", object.If(truncated, true), "encoding", encoding,
		"lossy", object.If(encoding == object.Absent, !utf8.Valid(data)), "requested_path", path)}, nil
}

// registerRoot serves register_repo_root.
func (s *Session) registerRoot(_ context.Context, r object.Object) (reply, error) {
	dir := r.Text("directory")
	if rel, ok := s.place.Inside(dir); !ok || rel == "." {
		return reply{}, &controlError{text: fmt.Sprintf("register_repo_root: %s is not a subdirectory of the session's working directory or of a launch-time --add-dir root", dir)}
	}
	return reply{body: object.Of("directory", dir), then: func() {
		s.hooks.Announce("DirectoryAdded", s.stage.LastOccasion("register_repo_root"), "directory", dir, "source", "register_repo_root")
	}}, nil
}

// suggestFiles serves file_suggestions.
func (s *Session) suggestFiles(_ context.Context, r object.Object) (reply, error) {
	const most = 15
	list := []any{}
	query := strings.ToLower(r.Text("query"))
	// What cannot be read is not suggested.
	_ = filepath.WalkDir(s.place.Dir(), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(list) >= most:
			return fs.SkipDir
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		}
		if rel, ok := s.place.Inside(path); ok && !d.IsDir() && strings.Contains(strings.ToLower(rel), query) {
			list = append(list, object.Of("path", rel, "type", "file"))
		}
		return nil
	})
	return reply{body: object.Of("suggestions", list, "cwd", s.place.Dir())}, nil
}

// setCwd serves set_cwd.
func (s *Session) setCwd(_ context.Context, r object.Object) (reply, error) {
	dir := r.Text("path")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.place.Dir(), dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return reply{body: object.Of("status", "rejected", "reason", "not_found", "message", "Couldn't find a directory at "+dir+".")}, nil
	}
	if !r.Bool("trust_accepted") || r.Text("trusted_directory") != dir {
		return reply{body: object.Of("status", "needs_trust", "directory", dir)}, nil
	}
	changed := s.move(dir)
	return reply{body: object.Of("status", "ok", "cwd", dir, "changed", changed, "transcript_relocated", object.If(changed, true)),
		ready: func() { s.out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render") }}, nil
}

// move changes the working directory. It reports whether it was another.
func (s *Session) move(dir string) bool {
	changed := s.place.Move(dir)
	if s.tools != nil {
		s.tools.Move(dir)
	}
	return changed
}

// claimSession serves claim_session, once, in a process that was started to wait for it.
func (s *Session) claimSession(_ context.Context, r object.Object) (reply, error) {
	if !s.flags.Has("await-claim") || !s.host.Claim() {
		return reply{}, &controlError{text: "not_a_spare: claim_session is only accepted by a process started with --await-claim that has not been claimed yet"}
	}
	dir := r.Text("cwd")
	s.move(dir)
	trust := r.Object("workspace_trust")
	return reply{
		body: object.Of("status", "ok", "cwd", dir, "session_id", s.out.ID(), "parked_ms", 1, "sdk_mcp_settled", true,
			"workspace_trust_recorded", object.If(trust != nil, trust.Bool("accepted") && trust.Text("directory") == dir)),
		ready: func() {
			s.out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render")
			if title := r.Text("title"); title != "" {
				s.rename(title)
			}
		},
	}, nil
}

// rewindFiles serves rewind_files: it puts files back to what they were before a message.
func (s *Session) rewindFiles(_ context.Context, r object.Object) (reply, error) {
	if !s.checkpoints.On() {
		return reply{}, &controlError{text: "File rewinding is not enabled."}
	}
	dry := r.Bool("dry_run")
	change, err := s.checkpoints.Rewind(r.Text("user_message_id"), dry)
	switch {
	case err != nil:
		return reply{}, err
	case dry:
		return reply{body: object.Of("canRewind", true, "filesChanged", change.Files, "insertions", change.Insertions, "deletions", change.Deletions)}, nil
	}
	return reply{body: object.Of("canRewind", true, "skippedLinks", 0)}, nil
}

// memoryDialog serves get_memory_dialog.
func (s *Session) memoryDialog(context.Context, object.Object) (reply, error) {
	body := s.templateBody("get_memory_dialog")
	for _, f := range body.List("files") {
		o := f.(object.Object)
		_, err := os.Stat(o.Text("path"))
		o[slices.IndexFunc(o, func(m object.Member) bool { return m.Name == "exists" })].Value = err == nil
	}
	return reply{body: body}, nil
}
