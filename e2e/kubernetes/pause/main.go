// Command pause holds a pod's name spaces open and does nothing else, until it is told to end.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first process of a pod that shares its process name space inherits the orphans; nobody waits for them: let them go.
	signal.Ignore(syscall.SIGCHLD)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGINT, syscall.SIGTERM)
	<-ends
}
