/** Scenarios: clients that mean harm, or are broken. */
@NullMarked
package dev.kvorum.e2e.hostile;

import org.jspecify.annotations.NullMarked;
