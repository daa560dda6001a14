/** Scenarios: the image itself, as users run it. */
@NullMarked
package dev.kvorum.e2e.image;

import org.jspecify.annotations.NullMarked;
