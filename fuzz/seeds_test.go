package fuzz_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/seeds"
)

// maxSeed is the length of the longest seed; the fuzzer is slow on long ones.
const maxSeed = 4 << 10

// streams returns seeds for targets that read streams.
func streams() (all [][]byte) {
	for _, in := range seeds.Streams() {
		if len(in.Data) <= maxSeed {
			all = append(all, in.Data)
		}
	}
	return all
}

// lines returns seeds for targets that read lines: frames, and lines that are hard to read.
func lines() (all [][]byte) {
	for _, in := range seeds.Frames() {
		if len(in.Data) <= maxSeed {
			all = append(all, in.Data)
		}
	}
	for _, line := range nastyLines {
		all = append(all, []byte(line))
	}
	return all
}

// nastyLines are frames, or nearly, with something odd in them.
var nastyLines = []string{
	``, ` `, `{`, `{}`, `{"type":1}`, `{"type":null}`, `{"type":""}`, `{"type":"x"}`, `[]`, `null`, `"x"`, `0`, `{"type":"x"}x`,
	`{"type":"x","type":"x"}`, `{"type":"x","a":1,"a":2}`, `{"type":"x","a":{"b":1,"b":1}}`, `{"type":"x","a":{"\u0062":1,"b":1}}`,
	`{"a":1,"type":"x"}`, `{"\u0074ype":"user"}`, `{"type":"\u0075ser"}`, `{"type" : "x" , "a" : [ 1 , 2 ] }`,
	`{"type":"x","a":"\ud800"}`, `{"type":"x","\udc00":1}`, `{"type":"x","a":"\ud83d\ude00"}`, "{\"type\":\"x\",\"a\":\"\xff\"}", "{\"type\":\"x\",\"a\":\"\u2028\"}",
	"{\"type\":\"x\",\"a\":\"\t\"}", "{\"type\":\"x\",\"a\":\"\\u0000\"}", "{\"type\":\"x\",\"a\":\"\x00\"}", "{\"type\":\"x\",\r\"a\":1}",
	`{"type":"x","a":01}`, `{"type":"x","a":1e400}`, `{"type":"x","a":-}`, `{"type":"x","a":1.}`, `{"type":"x","a":tru}`, `{"type":"x","a":[1,]}`, `{"type":"x",}`,
	`{"type":"control_request","request_id":"1","request":{}}`, `{"type":"control_request","request_id":"1","request":{"subtype":"x"}}`,
	`{"type":"control_request","request_id":"1"}`, `{"type":"control_request","request":{"subtype":"interrupt"}}`, `{"type":"control_request","request_id":1,"request":{"subtype":"interrupt"}}`,
	`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"a","input":{},"tool_use_id":"b","permission_suggestions":["a",{"type":"x"},null]}}`,
	`{"type":"control_request","request_id":"1","request":{"subtype":"set_max_thinking_tokens","max_thinking_tokens":1.5}}`,
	`{"type":"control_request","request_id":"1","request":{"subtype":"set_max_thinking_tokens","max_thinking_tokens":1e2}}`,
	`{"type":"control_request","request_id":"1","request":{"subtype":"set_max_thinking_tokens","max_thinking_tokens":99999999999999999999}}`,
	`{"type":"control_response","response":{"subtype":"success","request_id":"1","response":null}}`, `{"type":"control_response","response":{"request_id":"1"}}`,
	`{"type":"control_response","request_id":"1","response":{"subtype":"error","error":""}}`,
	`{"type":"user","message":{"role":"user","content":[{"type":"text"},{"type":"x"},1,{"type":"tool_result","tool_use_id":"a","content":[{"type":"image"}]}]}}`,
	`{"type":"user","content":"a"}`, `{"type":"assistant","delta":{}}`, `{"type":"error","error":{"type":"a","message":"b"}}`,
	`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u","api_message_id":"m"}`,
	`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u","api_message_id":null}`,
}

func addAll(f *testing.F, all [][]byte) {
	f.Helper()
	for _, s := range all {
		f.Add(s)
	}
}
