@NullMarked
package dev.kvorum.node.admission;

import org.jspecify.annotations.NullMarked;
