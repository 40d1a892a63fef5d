package wire

// HookCommon is what the inputs of all hooks have; a member that is absent is empty.
type HookCommon struct {
	SessionID      string
	TranscriptPath string // the file that the session is written to
	CWD            string
	PermissionMode PermissionMode
}

// Common returns what the inputs of all hooks have.
func (v *UnknownHookInput) Common() HookCommon {
	return HookCommon{
		SessionID:      textOf(v.Raw, "/session_id"),
		TranscriptPath: textOf(v.Raw, "/transcript_path"),
		CWD:            textOf(v.Raw, "/cwd"),
		PermissionMode: PermissionMode(textOf(v.Raw, "/permission_mode")),
	}
}

func commonOf(session, transcript, cwd *string, mode *PermissionMode) HookCommon {
	return HookCommon{Value(session), Value(transcript), Value(cwd), Value(mode)}
}
