/** Registers of a few members in memory, and rounds whose messages the test delivers. */
@NullMarked
package dev.kvorum.node.consensus;

import org.jspecify.annotations.NullMarked;
