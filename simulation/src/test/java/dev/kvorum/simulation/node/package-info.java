@NullMarked
package dev.kvorum.simulation.node;

import org.jspecify.annotations.NullMarked;
