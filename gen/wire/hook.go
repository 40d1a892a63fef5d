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

// Deny returns the answer that keeps the tool from being used and tells the model why.
func (v *PreToolUseInput) Deny(reason string) *HookOutput {
	return v.decide(PreToolUseOutputPermissionDecisionDeny, reason)
}

// Allow returns the answer that lets the tool be used without asking anybody.
func (v *PreToolUseInput) Allow(reason string) *HookOutput {
	return v.decide(PreToolUseOutputPermissionDecisionAllow, reason)
}

func (v *PreToolUseInput) decide(decision PreToolUseOutputPermissionDecision, reason string) *HookOutput {
	return &HookOutput{HookSpecificOutput: &PreToolUseOutput{PermissionDecision: &decision, PermissionDecisionReason: &reason}}
}
