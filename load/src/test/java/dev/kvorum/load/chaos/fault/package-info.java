/** Schedules of faults. */
@NullMarked
package dev.kvorum.load.chaos.fault;

import org.jspecify.annotations.NullMarked;
