SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

NODES ?= 3
PORT ?= 8081
JMH ?= .*
SCENARIO ?= smoke
NODE_JAR := node/target/kvorum-node.jar
LOAD_JAR := load/target/kvorum-load.jar
LOAD_SOURCES := $(shell find pom.xml load/pom.xml load/src/main -type f)
SOURCES := $(shell find pom.xml topology/pom.xml node/pom.xml topology/src/main node/src/main -type f)

# Maven itself runs on JDK 25: the formatter and the static checks run inside it.
JDK = export JAVA_HOME="$$(.mvn/find-jdk)" MAVEN_OPTS="$${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow";
MVN = $(JDK) $$(command -v mvn || { echo "Maven is missing: apt-get install maven" >&2; exit 1; }) --batch-mode

# The generator's own pauses must stay out of what it measures: a young generation that seldom fills.
BENCH = "$$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xms768m -Xmx768m -Xmn512m --sun-misc-unsafe-memory-access=allow -jar $(LOAD_JAR)
LOAD_OPTIONS = --duration=$(DURATION) --runs=$(RUNS) --variants=$(VARIANTS) --keep=$(KEEP)

help: ## This list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

build: ## The runnable node/target/kvorum-node.jar, without tests.
	@$(MVN) --quiet package -DskipTests -Dspotless.check.skip

$(NODE_JAR): $(SOURCES)
	@echo "Building $@ ..."
	@$(MAKE) build
	@touch $@

$(LOAD_JAR): $(LOAD_SOURCES)
	@echo "Building $@ ..."
	@$(MVN) --quiet -pl load package -Dmaven.test.skip -Dspotless.check.skip
	@touch $@

run: $(NODE_JAR) ## A cluster of NODES=3 processes on this machine, from port PORT=8081 on; Ctrl-C stops it.
	@$(JDK) exec node/bin/local-cluster run $(NODES) $(PORT)

start-node: ## Starts NODE=2 of the running cluster again.
	@node/bin/local-cluster start-node $(NODE)

kill-node: ## Kills NODE=2 of the running cluster with kill -9.
	@node/bin/local-cluster kill-node $(NODE)

add-node: ## Adds NODE=4 to the running cluster: starts it and moves its share of the data to it.
	@$(JDK) node/bin/local-cluster add-node $(NODE)

remove-node: ## Removes NODE=4 from the running cluster: moves its data to the others and stops it.
	@$(JDK) node/bin/local-cluster remove-node $(NODE)

cancel-change: ## Takes back what add-node or remove-node has begun, as long as it is not final.
	@$(JDK) node/bin/local-cluster cancel-change

status: ## How far the members of the running cluster are.
	@$(JDK) node/bin/local-cluster status

test: ## Format, static checks, unit, architecture and integration tests; no Docker needed.
	@$(MVN) verify

format: ## Formats the sources.
	@$(MVN) --quiet spotless:apply

docs: ## Writes docs/configuration.md anew from the settings records, and looks for the seeds of docs/simulation.md.
	@$(MVN) --quiet verify -pl topology,history,node,simulation -Dtest=ConfigurationReferenceTest,MutantsDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -DskipITs -Dkvorum.docs.write=true

simulate: ## A cluster on virtual time under all faults: SEEDS=200 from FROM=1 on, or SEED=17 with its trace; MUTANT=name puts a mistake in.
	@$(MVN) --quiet -Psimulate -pl topology,history,node,simulation -Dspotless.check.skip \
	    -Dsimulate.options='seeds=$(SEEDS) from=$(FROM) seed=$(SEED) mutant=$(MUTANT) out=target/runs' process-classes

linearizability: ## Whether the linearizable operations of HISTORY=file are that; without a file, the tests of that check. Needs Go.
	@command -v go >/dev/null || { echo "Go is missing: this check is Porcupine, a Go module (https://go.dev/dl, 1.22 or newer)." >&2; exit 1; }
	@cd history/porcupine && $(if $(HISTORY),go run . -picture '$(abspath $(HISTORY)).html' '$(abspath $(HISTORY))',go test ./...)

bench: $(NODE_JAR) ## Start-up, idle memory and a minute of load on three nodes; needs wrk.
	@$(JDK) exec load/first-figures

load: $(NODE_JAR) $(LOAD_JAR) ## An experiment: SCENARIO=smoke of load/scenarios; DURATION=30s, RUNS=1, VARIANTS=a,b and KEEP=1 change it.
	@$(JDK) exec $(BENCH) run load/scenarios/$(SCENARIO).yaml $(LOAD_OPTIONS)

load-compare: $(LOAD_JAR) ## Two results side by side: A=load/results/... B=load/results/...
	@$(JDK) exec $(BENCH) compare $(A) $(B)

flame: $(NODE_JAR) $(LOAD_JAR) ## The same with CPU, allocation and lock flame graphs of each node.
	@$(JDK) exec $(BENCH) run load/scenarios/$(SCENARIO).yaml --flames=1 $(LOAD_OPTIONS)

jmh: ## Benchmarks of parts, as JMH=NewestWins to run some.
	@$(MVN) --quiet -Pjmh -pl topology,node -Dspotless.check.skip -Djmh.benchmarks='$(JMH)' process-test-classes

clean: ## Removes what was built; data of local clusters stays.
	@$(MVN) --quiet clean

clean-data: ## Removes the data of local clusters.
	rm -rf .run

.PHONY: help build run start-node kill-node add-node remove-node cancel-change status test format docs simulate linearizability bench load load-compare flame jmh clean clean-data
