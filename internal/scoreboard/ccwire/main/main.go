// Main is the driver of package ccwire as a program.
package main

import "github.com/ccwire/ccwire/internal/scoreboard/ccwire"

func main() { ccwire.SDK.Main() }
