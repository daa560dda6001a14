/** What belongs to a cluster in Kubernetes. */
package dev.kvorum.operator.dependents;
