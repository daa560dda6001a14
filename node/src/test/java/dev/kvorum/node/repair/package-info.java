/** Repair in clusters whose stores, network and time are made up. */
@NullMarked
package dev.kvorum.node.repair;

import org.jspecify.annotations.NullMarked;
