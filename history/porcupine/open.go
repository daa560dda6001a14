package main

import (
	"sort"

	"github.com/anishathalye/porcupine"
)

// place is a key and what it holds at some time.
type place struct {
	key   string
	holds register
}

// seen returns those writes of unknown fate that somebody was told of, each to be done by then.
//
// A deletion of unknown fate does not know its version. One that somebody was told of and that no other has is of one of them: of which, is left open.
func seen(open, known []porcupine.Operation) []porcupine.Operation {
	told := firstTold(known)
	deletions := map[string][]porcupine.Operation{}
	var kept []porcupine.Operation
	for _, write := range open {
		asked := write.Input.(input)
		if !asked.after.present {
			deletions[asked.key] = append(deletions[asked.key], write)
		} else if by, isTold := told[place{asked.key, asked.after}]; isTold {
			kept = append(kept, until(write, by))
		}
	}
	return append(kept, deletionsOf(versionsOfNobody(told, known), deletions, told)...)
}

// firstTold is when somebody first was told of what a key holds, or wrote it knowing that.
func firstTold(known []porcupine.Operation) map[place]int64 {
	told := map[place]int64{}
	tell := func(key string, holds register, by int64) {
		at := place{key, holds}
		if first, isTold := told[at]; !isTold || by < first {
			told[at] = by
		}
	}
	for _, one := range known {
		asked := one.Input.(input)
		if asked.kind == reads || asked.fate == refused {
			tell(asked.key, one.Output.(register), one.Return)
		}
		if asked.kind == writesIf && asked.fate == done {
			tell(asked.key, asked.expected, one.Return)
		}
	}
	return told
}

// versionsOfNobody are the deletions that somebody was told of and that nobody knows to have done, in the order of when.
func versionsOfNobody(told map[place]int64, known []porcupine.Operation) []place {
	done := map[place]bool{}
	for _, one := range known {
		if asked := one.Input.(input); asked.kind != reads && asked.fate != refused {
			done[place{asked.key, asked.after}] = true
		}
	}
	var found []place
	for at := range told {
		if !at.holds.present && at.holds != (register{}) && !done[at] {
			found = append(found, at)
		}
	}
	sort.Slice(found, func(i, j int) bool { return told[found[i]] < told[found[j]] })
	return found
}

// deletionsOf makes one deletion of each version, but no more than there were. As it may be any of them it may be done from the first on, under any condition.
func deletionsOf(versions []place, deletions map[string][]porcupine.Operation, told map[place]int64) []porcupine.Operation {
	made := map[string]int{}
	var all []porcupine.Operation
	for _, version := range versions {
		candidates := deletions[version.key]
		if made[version.key] == len(candidates) {
			continue // Whoever was told of it was told of what nobody did.
		}
		one := candidates[made[version.key]]
		one.Input = input{key: version.key, kind: writes, fate: unknown, after: version.holds}
		one.Call = firstCall(candidates)
		all = append(all, until(one, told[version]))
		made[version.key]++
	}
	return all
}

// firstCall is when the first of them was invoked.
func firstCall(deletions []porcupine.Operation) int64 {
	first := deletions[0].Call
	for _, one := range deletions {
		first = min(first, one.Call)
	}
	return first
}

// until is the same, done by then.
func until(write porcupine.Operation, by int64) porcupine.Operation {
	write.Return = max(write.Call, by)
	return write
}
