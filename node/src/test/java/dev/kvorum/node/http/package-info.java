/** What both ports hold their answers and bodies to. */
@NullMarked
package dev.kvorum.node.http;

import org.jspecify.annotations.NullMarked;
