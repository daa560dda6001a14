package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/anishathalye/porcupine"
)

// lineMax bounds a line of a history, in bytes: a value has at most a few mebibytes.
const lineMax = 16 << 20

// line is one of a history file, as far as it matters here; docs/simulation.md has all of it.
type line struct {
	Type     string  `json:"type"`
	Client   int     `json:"client"`
	Kind     string  `json:"kind"`
	Mode     string  `json:"mode"`
	Key      string  `json:"key"`
	Value    *string `json:"value"`
	Outcome  string  `json:"outcome"`
	Invoked  int64   `json:"invoked"`
	Returned int64   `json:"returned"`
}

// readHistory returns the operations that are to be judged: those in linearizable mode, or all.
//
// A read without an answer and a write that failed tell nothing. A write of unknown fate may happen at any time after it
// was invoked, or never, which is the same as after everything else.
func readHistory(from io.Reader, all bool) ([]porcupine.Operation, error) {
	var operations []porcupine.Operation
	var unknown []int
	var end int64
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, lineMax)
	for number := 1; lines.Scan(); number++ {
		var read line
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if read.Type != "operation" || (!all && read.Mode != "linearizable") {
			continue
		}
		if read.Outcome == "failed" || (read.Kind == "read" && read.Outcome != "ok") {
			continue
		}
		if read.Outcome != "ok" {
			unknown = append(unknown, len(operations))
		}
		end = max(end, read.Returned)
		operations = append(operations, operation(read))
	}
	for _, index := range unknown {
		operations[index].Return = end + 1
	}
	return operations, lines.Err()
}

func operation(read line) porcupine.Operation {
	return porcupine.Operation{
		ClientId: read.Client,
		Input:    input{key: read.Key, reads: read.Kind == "read", after: registerOf(read.Value)},
		Output:   registerOf(read.Value),
		Call:     read.Invoked,
		Return:   read.Returned,
	}
}

func registerOf(value *string) register {
	if value == nil {
		return register{}
	}
	return register{present: true, value: *value}
}
