/** The frames between members: both ends of a connection, over channels without a network, and under fire. */
@NullMarked
package dev.kvorum.node.frame;

import org.jspecify.annotations.NullMarked;
