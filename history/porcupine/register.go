package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// register is what a key holds: a value, or nothing, as at the beginning and after a deletion. Values differ, so that a value stands for its version; of nothing
// it is the version of the deletion, which differ as well, or none.
type register struct {
	present bool
	value   string
}

// is tells whether a key holds what somebody was told of, or asks for: who does not say which deletion it was means any.
func (r register) is(told register) bool {
	return r == told || (!r.present && told == register{})
}

func (r register) String() string {
	if !r.present {
		return "nothing"
	}
	if len(r.value) > valueShown {
		return r.value[:valueShown] + "..."
	}
	return r.value
}

// valueShown bounds what a picture shows of a value.
const valueShown = 20

// kind is what is asked for.
type kind int

const (
	reads kind = iota
	writes
	writesIf
)

// fate is what is known of it.
type fate int

const (
	done fate = iota
	refused
	unknown
)

var fates = map[string]fate{"ok": done, "refused": refused, "unknown": unknown}

// input is what an operation asks for: to read, or that the key holds what is in after, if it holds what is expected.
type input struct {
	key      string
	kind     kind
	fate     fate
	expected register
	after    register
}

// model is that of independent registers, one for each key.
var model = porcupine.Model{
	Partition:         partition,
	Init:              func() interface{} { return register{} },
	Step:              step,
	DescribeOperation: describe,
	DescribeState:     func(state interface{}) string { return state.(register).String() },
}

func describe(in, out interface{}) string {
	asked := in.(input)
	switch {
	case asked.kind == reads:
		return fmt.Sprintf("%s -> %s", asked.key, out)
	case asked.kind == writes:
		return fmt.Sprintf("%s := %s", asked.key, asked.after)
	case asked.fate == refused:
		return fmt.Sprintf("%s := %s if %s, refused by %s", asked.key, asked.after, asked.expected, out)
	default:
		return fmt.Sprintf("%s := %s if %s", asked.key, asked.after, asked.expected)
	}
}

// step is that of a register with reads, writes and compare-and-set. A refused one is a read that finds something else; one of unknown fate sets if it can.
func step(state, in, out interface{}) (bool, interface{}) {
	asked := in.(input)
	switch {
	case asked.kind == reads:
		return state.(register).is(out.(register)), state
	case asked.kind == writes:
		return true, asked.after
	case asked.fate == refused:
		return state.(register).is(out.(register)) && !state.(register).is(asked.expected), state
	case state.(register).is(asked.expected):
		return true, asked.after
	default:
		return asked.fate == unknown, state
	}
}

func partition(operations []porcupine.Operation) [][]porcupine.Operation {
	var keys []string
	byKey := map[string][]porcupine.Operation{}
	for _, one := range operations {
		key := one.Input.(input).key
		if _, known := byKey[key]; !known {
			keys = append(keys, key)
		}
		byKey[key] = append(byKey[key], one)
	}
	parts := make([][]porcupine.Operation, 0, len(keys))
	for _, key := range keys {
		parts = append(parts, byKey[key])
	}
	return parts
}
