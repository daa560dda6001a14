@NullMarked
package dev.kvorum.simulation.disk;

import org.jspecify.annotations.NullMarked;
