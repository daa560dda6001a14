@NullMarked
package dev.kvorum.node.scrub;

import org.jspecify.annotations.NullMarked;
