SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

NODES ?= 3
PORT ?= 8081
JMH ?= .*
SCENARIO ?= smoke
IMAGE ?= kvorum/node:dev
NODE_JAR := node/target/kvorum-node.jar
LOAD_JAR := load/target/kvorum-load.jar
# The node as the image runs it: unpacked, with an AOT cache beside.
TRAINED := node/target/trained
# The same of nodes that load/experiments changes, and those that the scenario names.
BUILDS := node/target/experiments
BUILDS_NEEDED = $(shell sed -nE 's/(^|.*[ {])build: *([a-z0-9-]+).*/\2/p' load/scenarios/$(SCENARIO).yaml 2>/dev/null | sort -u)
# All but smoke, consistency, strangers and scaling.
MEASURED := floor peaks r0 r1 r3 r3-turns r4 saturation overload overload-large slices values skew hot collectors r2
EXPERIMENTS = $(if $(filter all,$(SCENARIO)),$(MEASURED),$(SCENARIO))
TRAINED_NEEDED = $(TRAINED)/kvorum.aot $(BUILDS_NEEDED:%=$(BUILDS)/%/trained/kvorum.aot)
LOAD_SOURCES := node/java.options node/src/test/resources/dev/kvorum/node/cluster/wrong-clock.c $(shell find pom.xml $(foreach module,topology control history load,$(module)/pom.xml $(module)/src/main) -type f)
SOURCES := $(shell find pom.xml topology/pom.xml control/pom.xml node/pom.xml topology/src/main control/src/main node/src/main -type f)

# Maven itself runs on JDK 25: the formatter and the static checks run inside it.
JDK = export JAVA_HOME="$$(.mvn/find-jdk)" MAVEN_OPTS="$${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow";
MVN = $(JDK) $$(command -v mvn || { echo "Maven is missing: apt-get install maven" >&2; exit 1; }) --batch-mode

# The generator's own pauses must stay out of what it measures: a young generation that seldom fills. Nor is what it does besides to take the processors from the nodes.
BENCH = "$$JAVA_HOME/bin/java" -XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=5 -XX:VMThreadPriority=0 -XX:+UseSerialGC -Xms768m -Xmx768m -Xmn512m -Dio.hyperfoil.jitter.watchdog.period=1000 --sun-misc-unsafe-memory-access=allow -jar $(LOAD_JAR)
CHAOS = "$$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx1g -jar $(LOAD_JAR)
# The node's image is built unless the operator's alone is named.
NODE_IMAGE = $(if $(OPERATOR_IMAGE),$(if $(filter command line environment,$(origin IMAGE)),$(IMAGE)),$(IMAGE))
# NODES is 3 unless said, which is of make run.
CHAOS_NODES = $(if $(filter command line environment,$(origin NODES)),$(NODES))
# Small disks are mounted where nobody else sees them, and are gone with the process that mounted them, however that ends.
OWN_MOUNTS = $$(for options in --mount "--map-root-user --mount"; do unshare $$options true 2>/dev/null && echo "unshare $$options" && break; done || true)
# --name=value where NAME has one.
option = $(if $($1),--$(shell tr A-Z a-z <<<$1)=$($1))
LOAD_OPTIONS = --node-jar=$(TRAINED)/kvorum-node.jar --experiments=$(BUILDS) $(foreach name,DURATION RUNS RATE VARIANTS,$(call option,$(name))) $(if $(filter 1,$(FLAMES)),--flames) $(if $(filter 1,$(KEEP)),--keep)

help: ## This list.
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 16

build: ## The runnable node/target/kvorum-node.jar, without tests.
	@$(MVN) --quiet -pl node -am package -DskipTests -Dspotless.check.skip

$(NODE_JAR): $(SOURCES)
	@echo "Building $@ ..."
	@$(MAKE) build
	@touch $@

$(LOAD_JAR): $(LOAD_SOURCES)
	@echo "Building $@ ..."
	@$(MVN) --quiet -pl load -am package -Dmaven.test.skip -Dspotless.check.skip
	@touch $@

# Unpacks a jar beside the target, and trains it.
define train
	@echo "Training an AOT cache for it, which takes a minute or two ..."
	@rm -rf $(@D)
	@$(JDK) "$$JAVA_HOME/bin/java" -Djarmode=tools -jar $(1) extract --destination $(@D) >/dev/null; \
	    node/image/train $(@D) "$$JAVA_HOME/bin/java" @node/java.options || { rm -f $@; exit 1; }
endef

$(TRAINED)/kvorum.aot: $(NODE_JAR) node/java.options node/image/train node/image/Serve.java
	$(call train,$(NODE_JAR))

# Git must not find the repository around the copy: it would leave out what a patch says of paths beside it.
$(BUILDS)/%/trained/kvorum.aot: load/experiments/%.patch $(SOURCES) node/java.options node/image/train node/image/Serve.java
	@echo "Building a node with $< ..."
	@rm -rf $(BUILDS)/$*
	@mkdir -p $(BUILDS)/$*/sources
	@comm -z -23 <(git ls-files -z --cached --others --exclude-standard | sort -z) <(git ls-files -z --deleted | sort -z) | \
	    xargs -0 cp --parents --no-dereference --target-directory=$(BUILDS)/$*/sources
	@GIT_CEILING_DIRECTORIES=$(abspath $(BUILDS)/$*) git -C $(BUILDS)/$*/sources apply $(abspath $<)
	@$(MAKE) -C $(BUILDS)/$*/sources build
	$(call train,$(BUILDS)/$*/sources/$(NODE_JAR))

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

# Runs the tests that the options choose, and names the slowest. The jars of a build that has succeeded are touched: the same sources give the same bytes with the same dates.
define tests
	@started=$$(mktemp); failed=0; \
	$(MVN) --threads 2 -Pside-by-side $(1) verify || failed=$$?; \
	.mvn/slowest "$$started" 'make $@'; rm -f "$$started"; \
	if [ $$failed = 0 ]; then touch -c $(NODE_JAR) $(LOAD_JAR); fi; exit $$failed
endef

test: ## Format, static checks, unit, architecture and the essential integration tests, in some minutes; no Docker needed.
	$(call tests,-DexcludedGroups=check -Dload.after=kvorum-operator)

check: ## The long tests, which have the tag "check": seeds and mutants of the simulation, processes, faults, changes of the members. No Docker needed.
	$(call tests,-Dgroups=check)

mutants: ## How much of ROOM=topology, quorum, coordinator, consensus, cell, membership, heartbeat, repair or decision its unit tests notice: its mutants and the survivors. GOAL=95 fails below; CLASSES=Poll,Turns for some.
	@$(JDK) .mvn/mutants '$(ROOM)' '$(GOAL)' '$(CLASSES)'

format: ## Formats the sources.
	@$(MVN) --quiet spotless:apply

docs: ## Writes what is generated anew: settings, resource fields and mutants in docs/, the definition of KvorumCluster, and k8s/operator from its chart.
	@$(MVN) --quiet -pl operator -am process-classes -Dspotless.check.skip
	@for copy in charts/kvorum-operator/files k8s/crds; do cp operator/target/classes/META-INF/fabric8/*.yml $$copy/; done
	@$(MVN) --quiet verify -pl topology,control,history,node,simulation,operator,charts -Dtest=ConfigurationReferenceTest,MutantsDocumentTest,FieldsDocumentTest,ManifestsTest \
	    -Dsurefire.failIfNoSpecifiedTests=false -DskipITs -Dkvorum.docs.write=true -Dkvorum.manifests.write=true

simulate: ## A cluster on virtual time under all faults: SEEDS=200 from FROM=1 on, or SEED=17 with its trace; MUTANT=name puts a mistake in, KIND=registers simulates linearizable operations; HISTORIES=dir keeps what clients saw.
	@$(MVN) --quiet -Psimulate -pl topology,control,history,node,simulation -Dspotless.check.skip \
	    -Dsimulate.options='$(foreach name,SEEDS FROM SEED MUTANT KIND HISTORIES,$(call option,$(name))) --out=target/runs' process-classes

chaos: $(NODE_JAR) $(LOAD_JAR) ## Five processes under load, kill -9, SIGSTOP, restarts, full disks and wrong clocks, rotten and older disks, wrong addresses and changes of the members, and the verdict: DURATION=3m, SEED=17, NODES=5, RATE=300, FAULTS=KILL,ROTTEN_FILE.
	@$(JDK) exec $(OWN_MOUNTS) $(CHAOS) chaos $(foreach name,SEED DURATION RATE FAULTS,$(call option,$(name))) $(if $(CHAOS_NODES),--nodes=$(CHAOS_NODES))

linearizability: ## Whether the linearizable operations of HISTORY=file are that; without a file, the tests of that check. Needs Go.
	@command -v go >/dev/null || { echo "Go is missing: this check is Porcupine, a Go module (https://go.dev/dl, 1.22 or newer)." >&2; exit 1; }
	@cd history/porcupine && $(if $(HISTORY),go run . -picture '$(abspath $(HISTORY)).html' '$(abspath $(HISTORY))',go test ./...)

image: $(if $(NODE_IMAGE),$(NODE_JAR)) ## The container images IMAGE=kvorum/node:dev (with a shell as ...-debug) and OPERATOR_IMAGE=kvorum/operator:0.1.0: those that are named, or the node's. Needs Docker, but no registry.
ifneq ($(NODE_IMAGE),)
	@node/image/build $(NODE_IMAGE)
endif
ifneq ($(OPERATOR_IMAGE),)
	@$(MVN) --quiet -pl operator -am package -DskipTests -Dspotless.check.skip
	@operator/image/build $(OPERATOR_IMAGE)
endif

e2e: ## Clusters of containers, broken on purpose: SCENARIOS='Overload*' for some of them. Needs Docker; KVORUM_E2E=skip leaves them out, =sample those that take minutes.
ifeq ($(KVORUM_E2E),skip)
	@echo "End-to-end tests are left out, as KVORUM_E2E=skip says."
else
	@e2e/engine/ensure
	@$(MAKE) image IMAGE=$(IMAGE) OPERATOR_IMAGE=
	@e2e/images/make-images
	@$(JDK) exec e2e/run $(IMAGE) '$(SCENARIOS)'
endif

ifdef COMPARE
load: $(LOAD_JAR)
	@$(JDK) exec $(BENCH) compare $(COMPARE)
else ifneq ($(word 2,$(EXPERIMENTS)),)
# Each in a make of its own, which Ctrl-C ends and this loop with it.
load:
	@failed=; \
	for scenario in $(EXPERIMENTS); do $(MAKE) load SCENARIO=$$scenario || failed="$$failed $$scenario"; done; \
	if [ -n "$$failed" ]; then echo "Expectations were not met, or something failed, in:$$failed" >&2; exit 1; fi
else
load: $(TRAINED_NEEDED) $(LOAD_JAR) ## An experiment, SCENARIO=smoke of load/scenarios, several, or all: DURATION=30s, RUNS=1, RATE=5000, VARIANTS=a,b, KEEP=1 and FLAMES=1 change it. COMPARE='RESULTS RESULTS' sets two results side by side.
	@$(JDK) exec $(BENCH) run load/scenarios/$(SCENARIO).yaml $(LOAD_OPTIONS)
endif

jmh: ## Benchmarks of parts, as JMH=NewestWins to run some.
	@$(MVN) --quiet -Pjmh -pl topology,control,node -Dspotless.check.skip -Djmh.benchmarks='$(JMH)' process-test-classes

kube-up: ## A Kubernetes of NODES=3 nodes on this machine's Docker, and how to use it: kind if it can start, else the rig of e2e/kubernetes (as root); KUBE=kind or KUBE=rig takes that one. k8s/local load IMAGE... brings images from Docker to it.
	@NODES=$(NODES) KUBE=$(KUBE) k8s/local up

kube-down: ## Removes it with all of its data.
	@k8s/local down

kube-e2e: ## The operator on the Kubernetes of KUBECONFIG, or on the rig of e2e/kubernetes (started and removed if it does not run): SCENARIOS='Scaling*' for some.
ifeq ($(KVORUM_E2E),skip)
	@echo "The scenarios of the operator are left out, as KVORUM_E2E=skip says."
else
	@$(JDK) exec e2e/kube-run '$(SCENARIOS)'
endif

.PHONY: help build run start-node kill-node add-node remove-node test check mutants format docs simulate chaos linearizability image e2e load jmh kube-up kube-down kube-e2e
