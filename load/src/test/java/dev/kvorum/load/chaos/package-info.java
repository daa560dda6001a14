/** Runs of chaos, and what remains of them. */
@NullMarked
package dev.kvorum.load.chaos;

import org.jspecify.annotations.NullMarked;
