/** Decisions, tested against a model of Kubernetes and of nodes ({@link dev.kvorum.operator.decision.Situation}). */
package dev.kvorum.operator.decision;
