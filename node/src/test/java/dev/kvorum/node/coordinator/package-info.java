/** One client operation, with replicas whose answers the test gives one at a time. */
@NullMarked
package dev.kvorum.node.coordinator;

import org.jspecify.annotations.NullMarked;
