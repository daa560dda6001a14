@NullMarked
package dev.kvorum.node.heartbeat;

import org.jspecify.annotations.NullMarked;
