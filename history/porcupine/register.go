package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// register is what a key holds: a value, or nothing, as at the beginning and after a deletion.
type register struct {
	present bool
	value   string
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

// input is what an operation asks for: to read, or that the key holds what is in after.
type input struct {
	key   string
	reads bool
	after register
}

// model is that of independent registers, one for each key.
var model = porcupine.Model{
	Partition: partition,
	Init:      func() interface{} { return register{} },
	Step:      step,
	DescribeOperation: func(in, out interface{}) string {
		asked := in.(input)
		if asked.reads {
			return fmt.Sprintf("%s -> %s", asked.key, out)
		}
		return fmt.Sprintf("%s := %s", asked.key, asked.after)
	},
	DescribeState: func(state interface{}) string { return state.(register).String() },
}

func step(state, in, out interface{}) (bool, interface{}) {
	asked := in.(input)
	if asked.reads {
		return out == state, state
	}
	return true, asked.after
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
