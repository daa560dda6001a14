/** Clients that record what they saw. */
@NullMarked
package dev.kvorum.load.chaos.client;

import org.jspecify.annotations.NullMarked;
