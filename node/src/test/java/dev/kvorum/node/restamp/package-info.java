@NullMarked
package dev.kvorum.node.restamp;

import org.jspecify.annotations.NullMarked;
