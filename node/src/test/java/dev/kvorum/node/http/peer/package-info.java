/** What the peers' port does with calls that come over HTTP. */
@NullMarked
package dev.kvorum.node.http.peer;

import org.jspecify.annotations.NullMarked;
