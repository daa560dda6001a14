@NullMarked
package dev.kvorum.node.clock;

import org.jspecify.annotations.NullMarked;
