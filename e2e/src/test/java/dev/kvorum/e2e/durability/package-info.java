/** Scenarios: what was acknowledged is there, whatever happened. */
@NullMarked
package dev.kvorum.e2e.durability;

import org.jspecify.annotations.NullMarked;
