/** Counting against a quorum, held against a model. */
@NullMarked
package dev.kvorum.node.quorum;

import org.jspecify.annotations.NullMarked;
