/** Which topologies a node takes over, and how it learns of them. */
@NullMarked
package dev.kvorum.node.membership;

import org.jspecify.annotations.NullMarked;
