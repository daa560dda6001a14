/** Hints on a clock that the test moves, in a store of its own, for replicas that answer as the test says. */
@NullMarked
package dev.kvorum.node.hint;

import org.jspecify.annotations.NullMarked;
