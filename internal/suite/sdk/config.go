package sdk

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Config is a file that says how an SDK is judged, so that a repository keeps it in one place.
type Config struct {
	Driver       string            `json:"driver,omitempty"` // command line of a driver
	Spawn        string            `json:"spawn,omitempty"`  // or of a program that sends one prompt
	KnownFailing string            `json:"known_failing,omitempty"`
	Scenarios    string            `json:"scenarios,omitempty"` // folder of own scenarios
	Skip         []string          `json:"skip,omitempty"`
	Env          map[string]string `json:"env,omitempty"`
}

// ReadConfig reads a file. Its paths of known failures and scenarios are made ones from here.
func ReadConfig(name string) (*Config, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	c := &Config{}
	if err := d.Decode(c); err != nil {
		return nil, err
	}
	for _, path := range []*string{&c.KnownFailing, &c.Scenarios} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(name), *path)
		}
	}
	return c, nil
}
