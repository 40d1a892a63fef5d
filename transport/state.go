package transport

// State is where a session is in its life.
type State int

// The states of a session. Stopped and Failed are final.
const (
	Starting State = iota // the CLI is being started
	InitSent              // initialize was sent and is not confirmed
	Running               // initialize was answered, or a hook_callback, can_use_tool or mcp_message showed that it was accepted
	Stopped               // the session was closed, or the CLI ended
	Failed                // the initialisation failed
)

var stateNames = [...]string{"starting", "init sent", "running", "stopped", "failed"}

func (s State) String() string { return stateNames[s] }
