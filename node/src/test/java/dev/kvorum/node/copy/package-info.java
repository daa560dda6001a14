@NullMarked
package dev.kvorum.node.copy;

import org.jspecify.annotations.NullMarked;
