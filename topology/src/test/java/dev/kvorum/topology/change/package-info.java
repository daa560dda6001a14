@NullMarked
package dev.kvorum.topology.change;

import org.jspecify.annotations.NullMarked;
