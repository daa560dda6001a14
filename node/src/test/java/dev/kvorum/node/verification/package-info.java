@NullMarked
package dev.kvorum.node.verification;

import org.jspecify.annotations.NullMarked;
