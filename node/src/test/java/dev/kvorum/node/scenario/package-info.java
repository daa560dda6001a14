/** What the cluster promises, each promise against real nodes. */
@NullMarked
package dev.kvorum.node.scenario;

import org.jspecify.annotations.NullMarked;
