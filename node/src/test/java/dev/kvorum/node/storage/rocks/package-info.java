/** The store on a real database, and what it is made of. */
@NullMarked
package dev.kvorum.node.storage.rocks;

import org.jspecify.annotations.NullMarked;
