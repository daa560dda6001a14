/** The rules of the house, as tests. */
@NullMarked
package dev.kvorum.node.architecture;

import org.jspecify.annotations.NullMarked;
