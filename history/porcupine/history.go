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

// absent is what a write expects that wants to find nothing.
const absent = "absent"

// line is one of a history file, as far as it matters here; docs/simulation.md has all of it.
type line struct {
	Type     string  `json:"type"`
	Client   int     `json:"client"`
	Kind     string  `json:"kind"`
	Mode     string  `json:"mode"`
	Key      string  `json:"key"`
	Value    *string `json:"value"`
	Version  *string `json:"version"`
	Expected *string `json:"expected"`
	Outcome  string  `json:"outcome"`
	Invoked  int64   `json:"invoked"`
	Returned int64   `json:"returned"`
}

// tellsNothing holds for what need not be judged: a read without an answer, and a write that failed.
func (l line) tellsNothing() bool {
	return l.Outcome == "failed" || (l.Kind == "read" && l.Outcome != "ok")
}

// readHistory returns the operations that are to be judged: those in linearizable mode, or all.
//
// A write of unknown fate may happen at any time after it was invoked, or never. As nobody else writes what it writes, it has happened before anybody was
// first told of that; and where nobody ever was, it makes no difference whether it has. So histories of many such writes are decided as well.
func readHistory(from io.Reader, all bool) ([]porcupine.Operation, error) {
	judged, err := readLines(from, all)
	if err != nil {
		return nil, err
	}
	values := valuesOf(judged)
	var known, open []porcupine.Operation
	for _, read := range judged {
		if one := operation(read, values); read.Outcome == "unknown" {
			open = append(open, one)
		} else {
			known = append(known, one)
		}
	}
	return append(known, seen(open, known)...), nil
}

func readLines(from io.Reader, all bool) ([]line, error) {
	var judged []line
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, lineMax)
	for number := 1; lines.Scan(); number++ {
		var read line
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if read.Type == "operation" && (all || read.Mode == "linearizable") && !read.tellsNothing() {
			judged = append(judged, read)
		}
	}
	return judged, lines.Err()
}

// valuesOf tells which value each version stands for. As values differ it is enough to compare these: so a write of unknown fate, whose version
// nobody was told, can be what another asked for, which must have read it.
func valuesOf(judged []line) map[string]register {
	values := map[string]register{}
	for _, read := range judged {
		if read.Outcome == "ok" && read.Version != nil {
			values[*read.Version] = registerOf(read)
		}
	}
	return values
}

func operation(read line, values map[string]register) porcupine.Operation {
	asked := input{key: read.Key, after: registerOf(read), fate: fates[read.Outcome]}
	found := registerOf(read)
	switch {
	case read.Kind == "read":
		asked.kind = reads
	case read.Expected == nil:
		asked.kind = writes
	default:
		asked.kind = writesIf
		asked.expected = state(*read.Expected, values)
	}
	if read.Outcome == "refused" {
		found = register{}
		if read.Version != nil {
			found = state(*read.Version, values)
		}
	}
	return porcupine.Operation{
		ClientId: read.Client,
		Input:    asked,
		Output:   found,
		Call:     read.Invoked,
		Return:   read.Returned,
	}
}

// state is what a version stands for; a value that nobody has, where nobody was told of it.
func state(version string, values map[string]register) register {
	if version == absent {
		return register{}
	}
	known, isKnown := values[version]
	if !isKnown {
		return register{present: true, value: "@" + version}
	}
	return known
}

// registerOf is what an operation has found, or leaves: a value; or that there is none, since the deletion of that version where it is known.
func registerOf(told line) register {
	switch {
	case told.Value != nil:
		return register{present: true, value: *told.Value}
	case told.Version != nil:
		return register{value: *told.Version}
	default:
		return register{}
	}
}
