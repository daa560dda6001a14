@NullMarked
package dev.kvorum.simulation.mutant;

import org.jspecify.annotations.NullMarked;
