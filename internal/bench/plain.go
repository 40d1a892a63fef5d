package main

import "encoding/json"

// The plain types are what a careful SDK would write by hand for the lines of the corpus, without
// methods, so that every library can fill them.

type plainEvent struct {
	Type            string   `json:"type"`
	Event           plainAPI `json:"event"`
	SessionID       string   `json:"session_id"`
	ParentToolUseID *string  `json:"parent_tool_use_id"`
	UUID            string   `json:"uuid"`
	APIMessageID    *string  `json:"api_message_id,omitempty"`
	TTFTMS          *float64 `json:"ttft_ms,omitempty"`
}

type plainAPI struct {
	Type         string        `json:"type"`
	Index        *int64        `json:"index,omitempty"`
	Delta        *plainDelta   `json:"delta,omitempty"`
	ContentBlock *plainBlock   `json:"content_block,omitempty"`
	Message      *plainMessage `json:"message,omitempty"`
}

type plainDelta struct {
	Type        string  `json:"type"`
	Text        *string `json:"text,omitempty"`
	PartialJSON *string `json:"partial_json,omitempty"`
}

type plainBlock struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text,omitempty"`
	ID        *string         `json:"id,omitempty"`
	Name      *string         `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID *string         `json:"tool_use_id,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`
	IsError   *bool           `json:"is_error,omitempty"`
}

type plainUsage struct {
	InputTokens              int64            `json:"input_tokens"`
	CacheCreationInputTokens int64            `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int64            `json:"cache_read_input_tokens"`
	OutputTokens             int64            `json:"output_tokens"`
	ServerToolUse            *plainServerTool `json:"server_tool_use,omitempty"`
	ServiceTier              *string          `json:"service_tier,omitempty"`
}

type plainServerTool struct {
	WebSearchRequests int64 `json:"web_search_requests"`
	WebFetchRequests  int64 `json:"web_fetch_requests"`
}

type plainMessage struct {
	ID                string          `json:"id,omitempty"`
	Type              string          `json:"type,omitempty"`
	Role              string          `json:"role"`
	Model             string          `json:"model,omitempty"`
	Content           []plainBlock    `json:"content"`
	StopReason        *string         `json:"stop_reason"`
	StopSequence      *string         `json:"stop_sequence"`
	Usage             *plainUsage     `json:"usage,omitempty"`
	ContextManagement json.RawMessage `json:"context_management,omitempty"`
}

type plainAssistant struct {
	Type            string       `json:"type"`
	Message         plainMessage `json:"message"`
	ParentToolUseID *string      `json:"parent_tool_use_id"`
	SessionID       string       `json:"session_id"`
	UUID            string       `json:"uuid"`
	Timestamp       *string      `json:"timestamp,omitempty"`
	RequestID       *string      `json:"request_id,omitempty"`
}

type plainUser struct {
	Type            string          `json:"type"`
	Message         plainMessage    `json:"message"`
	ParentToolUseID *string         `json:"parent_tool_use_id"`
	SessionID       string          `json:"session_id"`
	UUID            string          `json:"uuid"`
	Timestamp       *string         `json:"timestamp,omitempty"`
	ToolUseResult   json.RawMessage `json:"tool_use_result,omitempty"`
}

type plainServer struct {
	Name   string  `json:"name"`
	Status string  `json:"status"`
	Source *string `json:"source,omitempty"`
}

type plainInit struct {
	Type           string        `json:"type"`
	Subtype        string        `json:"subtype"`
	CWD            string        `json:"cwd"`
	SessionID      string        `json:"session_id"`
	Tools          []string      `json:"tools"`
	MCPServers     []plainServer `json:"mcp_servers"`
	Model          string        `json:"model"`
	PermissionMode string        `json:"permissionMode"`
	SlashCommands  []string      `json:"slash_commands"`
	APIKeySource   string        `json:"apiKeySource"`
	Version        string        `json:"claude_code_version"`
	OutputStyle    string        `json:"output_style"`
	Agents         []string      `json:"agents"`
	Skills         []string      `json:"skills"`
	Plugins        []plainServer `json:"plugins"`
	UUID           string        `json:"uuid"`
	FastModeState  *string       `json:"fast_mode_state,omitempty"`
}

type plainModelUsage struct {
	InputTokens              int64   `json:"inputTokens"`
	OutputTokens             int64   `json:"outputTokens"`
	CacheReadInputTokens     int64   `json:"cacheReadInputTokens"`
	CacheCreationInputTokens int64   `json:"cacheCreationInputTokens"`
	WebSearchRequests        int64   `json:"webSearchRequests"`
	CostUSD                  float64 `json:"costUSD"`
	ContextWindow            int64   `json:"contextWindow"`
	MaxOutputTokens          int64   `json:"maxOutputTokens"`
}

type plainResult struct {
	DurationAPIMS     float64                    `json:"duration_api_ms"`
	StopReason        *string                    `json:"stop_reason"`
	SessionID         string                     `json:"session_id"`
	TotalCostUSD      float64                    `json:"total_cost_usd"`
	Usage             plainUsage                 `json:"usage"`
	ModelUsage        map[string]plainModelUsage `json:"modelUsage"`
	PermissionDenials []json.RawMessage          `json:"permission_denials"`
	TerminalReason    *string                    `json:"terminal_reason,omitempty"`
	IsError           bool                       `json:"is_error"`
	NumTurns          int64                      `json:"num_turns"`
	Subtype           string                     `json:"subtype"`
	Result            string                     `json:"result"`
	Type              string                     `json:"type"`
	DurationMS        float64                    `json:"duration_ms"`
	UUID              string                     `json:"uuid"`
}

type plainControl[T any] struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
	Request   T      `json:"request"`
}

type plainAsk struct {
	Subtype     string            `json:"subtype"`
	ToolName    string            `json:"tool_name"`
	DisplayName *string           `json:"display_name,omitempty"`
	Input       json.RawMessage   `json:"input"`
	Description *string           `json:"description,omitempty"`
	Suggestions []plainSuggestion `json:"permission_suggestions,omitempty"`
	ToolUseID   *string           `json:"tool_use_id,omitempty"`
}

type plainSuggestion struct {
	Type        string  `json:"type"`
	Mode        *string `json:"mode,omitempty"`
	Destination string  `json:"destination"`
}

type plainHook struct {
	Subtype    string         `json:"subtype"`
	CallbackID string         `json:"callback_id"`
	Input      plainHookInput `json:"input"`
	ToolUseID  *string        `json:"tool_use_id,omitempty"`
}

type plainHookInput struct {
	SessionID      *string         `json:"session_id,omitempty"`
	TranscriptPath *string         `json:"transcript_path,omitempty"`
	CWD            *string         `json:"cwd,omitempty"`
	PromptID       *string         `json:"prompt_id,omitempty"`
	PermissionMode *string         `json:"permission_mode,omitempty"`
	Effort         *plainEffort    `json:"effort,omitempty"`
	HookEventName  string          `json:"hook_event_name"`
	ToolName       string          `json:"tool_name"`
	ToolInput      json.RawMessage `json:"tool_input"`
	ToolUseID      *string         `json:"tool_use_id,omitempty"`
}

type plainEffort struct {
	Level string `json:"level"`
}

type plainMCP struct {
	Subtype    string          `json:"subtype"`
	ServerName string          `json:"server_name"`
	Message    json.RawMessage `json:"message"`
}
