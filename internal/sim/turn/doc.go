// Package turn plays turns: what the CLI does for the messages that it took at once, up to a
// result. It asks the model, writes what it says, has its tools used, and calls the hooks that see
// it. It owns the turn that is being played and what the session itself has said to the model.
package turn
