package requests

import (
	"maps"

	"github.com/ccwire/ccwire/internal/sim/control"
)

// Handlers returns what serves the requests of the SDK, by subtype.
func (p *Parts) Handlers() map[string]control.Handler {
	all := handlers{}
	for _, some := range []handlers{
		greeting{p}.handlers(), turns{p}.handlers(), modes{p}.handlers(), stored{p}.handlers(), rules{p}.handlers(), sessions{p}.handlers(), running{p}.handlers(),
		files{p}.handlers(), mcpServers{p}.handlers(), ui{p}.handlers(),
	} {
		maps.Copy(all, some)
	}
	return all
}
