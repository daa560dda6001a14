/** Copies as nodes tell of them. */
@NullMarked
package dev.kvorum.load.chaos.copies;

import org.jspecify.annotations.NullMarked;
