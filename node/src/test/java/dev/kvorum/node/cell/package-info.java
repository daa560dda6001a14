/** Keys, versions and cells, down to the byte. */
@NullMarked
package dev.kvorum.node.cell;

import org.jspecify.annotations.NullMarked;
