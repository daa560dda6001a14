/** What the system gives to threads, on a real one. */
@NullMarked
package dev.kvorum.node.thread;

import org.jspecify.annotations.NullMarked;
