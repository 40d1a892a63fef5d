package scenario

import "fmt"

func typeName(op Op) string { return fmt.Sprintf("%T", op) }

// opText is what a step sends or expects.
func opText(op Op) string {
	switch op := op.(type) {
	case Send:
		return "> " + op.Text
	case Expect:
		return "< " + op.Pattern.String()
	}
	return typeName(op)
}
