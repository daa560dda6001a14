/** Repair of replicas that answer as the test says. */
@NullMarked
package dev.kvorum.node.repair;

import org.jspecify.annotations.NullMarked;
