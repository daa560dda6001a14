/** Real nodes on loopback, their clients, and the faults between them: what the integration tests stand on. */
@NullMarked
package dev.kvorum.node.cluster;

import org.jspecify.annotations.NullMarked;
