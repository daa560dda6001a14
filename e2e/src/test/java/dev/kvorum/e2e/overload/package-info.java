/** Scenarios: more than there is room for. */
@NullMarked
package dev.kvorum.e2e.overload;

import org.jspecify.annotations.NullMarked;
