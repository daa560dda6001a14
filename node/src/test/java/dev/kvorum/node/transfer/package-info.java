@NullMarked
package dev.kvorum.node.transfer;

import org.jspecify.annotations.NullMarked;
