@NullMarked
package dev.kvorum.simulation.architecture;

import org.jspecify.annotations.NullMarked;
