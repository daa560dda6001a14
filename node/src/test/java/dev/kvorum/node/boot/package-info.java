/** Tests of the node as a program. */
@NullMarked
package dev.kvorum.node.boot;

import org.jspecify.annotations.NullMarked;
