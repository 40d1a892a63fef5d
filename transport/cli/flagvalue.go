package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A flagValue is the value of a field of [Flags]. There is a function below for each kind of the
// table.
type flagValue struct {
	alone bool     // the flag is passed without a value
	texts []string // the value at each use of the flag
	err   error    // why the CLI cannot take it; completes "flag …"
}

func boolValue(v bool) flagValue { return flagValue{alone: v} }

func trueValue(v bool) flagValue {
	if !v {
		return flagValue{}
	}
	return flagValue{texts: []string{"true"}}
}

func stringValue(v string) flagValue {
	if v == "" {
		return flagValue{}
	}
	return flagValue{texts: []string{v}}
}

func stringPointerValue(v *string) flagValue {
	if v == nil {
		return flagValue{}
	}
	return flagValue{texts: []string{*v}}
}

func intValue(v int) flagValue {
	if v == 0 {
		return flagValue{}
	}
	return intPointerValue(&v)
}

func intPointerValue(v *int) flagValue {
	if v == nil {
		return flagValue{}
	}
	value := flagValue{texts: []string{strconv.Itoa(*v)}}
	if *v < 0 {
		value.err = fmt.Errorf("is %d, which is negative", *v)
	}
	return value
}

func numberValue(v float64) flagValue {
	if v == 0 {
		return flagValue{}
	}
	value := flagValue{texts: []string{strconv.FormatFloat(v, 'f', -1, 64)}}
	if !(v > 0) || math.IsInf(v, 0) {
		value.err = fmt.Errorf("is %v, which is not a positive number", v)
	}
	return value
}

// listValue passes each element by a flag of its own.
func listValue(v []string) flagValue {
	value := flagValue{texts: v}
	for i, text := range v {
		if text == "" {
			value.err = fmt.Errorf("has an empty element %d", i)
		}
	}
	return value
}

// listOrNoneValue passes a list without elements as an empty value, unless it is nil.
func listOrNoneValue(v []string) flagValue {
	if v != nil && len(v) == 0 {
		return flagValue{texts: []string{""}}
	}
	return listValue(v)
}

// commasOrNoneValue passes all elements by one flag, and a list without elements as an empty value,
// unless it is nil.
func commasOrNoneValue(v []string) flagValue {
	if v == nil {
		return flagValue{}
	}
	value := flagValue{texts: []string{strings.Join(v, ",")}, err: listValue(v).err}
	for i, text := range v {
		if strings.Contains(text, ",") {
			value.err = fmt.Errorf("has a comma in element %d", i)
		}
	}
	return value
}

func jsonValue(v json.RawMessage) flagValue {
	if v == nil {
		return flagValue{}
	}
	return flagValue{texts: []string{string(v)}, err: checkObject(v)}
}

func jsonOrPathValue(v string) flagValue {
	if v == "" {
		return flagValue{}
	}
	return jsonOrPathListValue([]string{v})
}

// jsonOrPathListValue takes for JSON what begins as an object, as the CLI does.
func jsonOrPathListValue(v []string) flagValue {
	value := listValue(v)
	for _, text := range v {
		if text := []byte(text); value.err == nil && beginsObject(text) {
			value.err = checkObject(text)
		}
	}
	return value
}

func beginsObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

func checkObject(text []byte) error {
	switch {
	case !json.Valid(text):
		return errors.New("is not valid JSON")
	case !beginsObject(text):
		return errors.New("is not a JSON object")
	}
	return nil
}
