@NullMarked
package dev.kvorum.simulation.world;

import org.jspecify.annotations.NullMarked;
