// Command porcupine judges whether the linearizable operations of a history are linearizable, each key being a register of
// its own, and draws a picture where they are not. Source: Athalye, "Testing distributed systems for linearizability" (2017).
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	violated     = 1
	undecided    = 2
	wrongCommand = 3
)

func main() {
	all := flag.Bool("all", false, "judge all operations, not only those in linearizable mode")
	picture := flag.String("picture", "violation.html", "where the picture of a violation is left")
	timeout := flag.Duration("timeout", 5*time.Minute, "how long it may take; deciding is exponential at worst")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: porcupine [-all] [-picture FILE] [-timeout 5m] HISTORY.jsonl")
		os.Exit(wrongCommand)
	}
	os.Exit(judge(flag.Arg(0), *all, *picture, *timeout))
}

func judge(file string, all bool, picture string, timeout time.Duration) int {
	lines, err := os.Open(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return wrongCommand
	}
	defer lines.Close()
	operations, err := readHistory(lines, all)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
		return wrongCommand
	}
	result, info := porcupine.CheckOperationsVerbose(model, operations, timeout)
	switch result {
	case porcupine.Ok:
		fmt.Printf("%s: linearizable, %d operations on %d keys\n", file, len(operations), len(partition(operations)))
		return 0
	case porcupine.Illegal:
		fmt.Printf("%s: NOT linearizable, %d operations\n", file, len(operations))
		draw(info, picture)
		return violated
	default:
		fmt.Printf("%s: not decided within %v\n", file, timeout)
		return undecided
	}
}

func draw(info porcupine.LinearizationInfo, picture string) {
	if err := porcupine.VisualizePath(model, info, picture); err != nil {
		fmt.Fprintln(os.Stderr, "no picture:", err)
		return
	}
	fmt.Println("picture:", picture)
}
