/** Scenarios: how many replicas must answer, and what becomes of those that do not. */
@NullMarked
package dev.kvorum.e2e.quorum;

import org.jspecify.annotations.NullMarked;
