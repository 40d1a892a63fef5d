package servers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/mcp"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

// New reads the configuration of a session's servers.
func New(o Options) (*Servers, error) {
	s := &Servers{Options: o}
	local := map[string]bool{}
	s.Set = mcp.New(mcp.Host{
		Version: o.Out.Version(), Terse: o.Out.Release().Before("2.1.90"), Cwd: o.Dir, Fence: o.Fence, Local: local,
		Send: s.send, Elicit: s.elicit, Elicited: s.elicited, Changed: func(string) {},
	})
	for _, value := range o.Config {
		servers, inside, err := readConfig(o.Dir, value, o.folders())
		if err != nil {
			s.Close()
			return nil, err
		}
		for _, m := range servers {
			local[m.Name] = inside
		}
		s.configured = append(s.configured, servers...)
	}
	return s, nil
}

// folders are those that the model can write.
func (o *Options) folders() []string {
	if o.Fence == nil {
		return []string{o.Dir}
	}
	return o.Fence.Folders()
}

// readConfig reads a value of --mcp-config: JSON, or the path of a file. inside says that it is in
// one of the folders.
func readConfig(dir, value string, folders []string) (servers object.Object, inside bool, err error) {
	v, err := object.Parse([]byte(value))
	if err != nil {
		path := value
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		inside = shell.InsideAny(folders, path)
		data, readErr := os.ReadFile(path)
		if readErr != nil {
			return nil, false, fmt.Errorf("Error: Invalid MCP configuration:\nMCP config file not found: %s", path) //lint:ignore ST1005 the CLI's words
		}
		v, err = object.Parse(data)
	}
	o, ok := v.(object.Object)
	if err != nil || !ok || o.Object("mcpServers") == nil {
		//lint:ignore ST1005 the CLI's words
		return nil, false, errors.New("Error: Invalid MCP configuration:\nmcpServers: Does not adhere to MCP server configuration schema")
	}
	return o.Object("mcpServers"), inside, nil
}
