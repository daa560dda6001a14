/** What the client port makes of a request target. */
@NullMarked
package dev.kvorum.node.http.client;

import org.jspecify.annotations.NullMarked;
