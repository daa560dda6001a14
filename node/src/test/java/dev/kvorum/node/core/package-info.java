/** Tests of the node as a program. */
@NullMarked
package dev.kvorum.node.core;

import org.jspecify.annotations.NullMarked;
