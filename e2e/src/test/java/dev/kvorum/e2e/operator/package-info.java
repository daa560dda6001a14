/** Scenarios: what the operator does to clusters, on a real Kubernetes, while clients use them. */
@NullMarked
package dev.kvorum.e2e.operator;

import org.jspecify.annotations.NullMarked;
