// Package accept finds what a CLI accepts of an SDK. It takes lines as SDKs write them, changes one
// member at a time, plays them to the CLI and looks at what differs: in the reply, in the requests
// to the model and in the lines that follow.
package accept
