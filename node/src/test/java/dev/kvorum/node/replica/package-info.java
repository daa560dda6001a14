/** One replica, local or remote, without a network. */
@NullMarked
package dev.kvorum.node.replica;

import org.jspecify.annotations.NullMarked;
