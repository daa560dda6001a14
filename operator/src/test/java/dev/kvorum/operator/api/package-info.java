/** Specs with the defaults of the definition. */
@NullMarked
package dev.kvorum.operator.api;

import org.jspecify.annotations.NullMarked;
