/** Deadlines on a clock that the test moves. */
@NullMarked
package dev.kvorum.node.deadline;

import org.jspecify.annotations.NullMarked;
