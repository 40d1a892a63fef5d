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
	Skip         []string          `json:"skip,omitempty"`
	Env          map[string]string `json:"env,omitempty"`
}

// ReadConfig reads a file. Its path of known failures is made one from here.
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
	if c.KnownFailing != "" && !filepath.IsAbs(c.KnownFailing) {
		c.KnownFailing = filepath.Join(filepath.Dir(name), c.KnownFailing)
	}
	return c, nil
}
