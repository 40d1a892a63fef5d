package tools

import "strings"

// param is a parameter of a tool.
type param struct {
	name     string
	kind     string   // string, number, int, boolean, array, object; "" for any
	values   []string // that are taken, nil for all of the kind
	required bool
}

// json is the kind of a parameter in JSON.
func (p param) json() string {
	if p.kind == "int" {
		return "number"
	}
	return p.kind
}

// schema is what the input of a tool may be.
type schema struct {
	params []param
	open   bool // parameters that are not known are ignored
}

// params parses "name:kind" or "name:value|value" for parameters; "!" after it makes one required,
// and "..." lets others be ignored.
func params(list string) (s schema) {
	for _, word := range strings.Fields(list) {
		if word == "..." {
			s.open = true
			continue
		}
		word, required := strings.CutSuffix(word, "!")
		name, kind, _ := strings.Cut(word, ":")
		p := param{name: name, kind: kind, required: required}
		if strings.Contains(kind, "|") {
			p.kind, p.values = "string", strings.Split(kind, "|")
		}
		s.params = append(s.params, p)
	}
	return s
}

const agentParams = "description:string! prompt:string! subagent_type:string model:sonnet|opus|haiku|fable effort:low|medium|high|xhigh|max " +
	"run_in_background:boolean name:string team_name:string mode:acceptEdits|auto|bypassPermissions|default|dontAsk|plan isolation:worktree|remote ..."

// schemas are the parameters of the tools whose input is checked, in the order in which the CLI
// writes them.
var schemas = map[string]schema{
	"Task":         params(agentParams),
	"Agent":        params(agentParams),
	"Read":         params("file_path:string! offset:int limit:int pages:string allow_large:boolean"),
	"Write":        params("file_path:string! content:string!"),
	"Edit":         params("file_path:string! old_string:string! new_string:string! replace_all:boolean"),
	"NotebookEdit": params("notebook_path:string! cell_id:string new_source:string! cell_type:code|markdown edit_mode:replace|insert|delete"),
	"Glob":         params("pattern:string! path:string"),
	"Grep": params("pattern:string! path:string glob:string output_mode:content|files_with_matches|count -B:number -A:number -C:number context:number -n:boolean " +
		"-i:boolean -o:boolean type:string head_limit:number offset:number multiline:boolean"),
	"Bash":            params("command:string! timeout:number description:string run_in_background:boolean dangerouslyDisableSandbox:boolean"),
	"AskUserQuestion": params("questions:array! answers:object annotations:object metadata:object"),
	"TaskCreate":      params("subject:string! description:string! activeForm:string metadata:object"),
	"TaskGet":         params("taskId:string!"),
	"TaskUpdate": params("taskId:string! subject:string description:string activeForm:string status:pending|in_progress|completed|deleted " +
		"addBlocks:array addBlockedBy:array owner:string metadata:object"),
	"TaskList":      params(""),
	"TaskStop":      params("task_id:string shell_id:string"),
	"KillShell":     params("task_id:string shell_id:string"),
	"CronCreate":    params("cron:string! prompt:string! recurring:boolean durable:boolean"),
	"CronDelete":    params("id:string!"),
	"CronList":      params(""),
	"EnterPlanMode": params(""),
	"EnterWorktree": params("name:string path:string"),
	"ExitWorktree":  params("action:keep|remove! discard_changes:boolean"),
	"Monitor":       params("description:string! timeout_ms:number persistent:boolean command:string ws:object ..."),
	"SendMessage":   params("to:string! summary:string message: ..."),
	"Skill":         params("skill:string! args:string ..."),
	"ToolSearch":    params("query:string! max_results:number ..."),
	"WebFetch":      params("url:string! prompt:string! offset:int"),
	"WebSearch":     params("query:string! allowed_domains:array blocked_domains:array"),
}

// deferred are the tools whose schema the model has to search for.
var deferred = strings.Fields("CronDelete CronList CronCreate WebSearch WebFetch EnterPlanMode ExitPlanMode TaskStop Monitor EnterWorktree ExitWorktree NotebookEdit SendMessage")

// Deferred are the tools whose schema the model has to search for.
func Deferred() []string { return deferred }
