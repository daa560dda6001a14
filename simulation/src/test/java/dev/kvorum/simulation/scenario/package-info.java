@NullMarked
package dev.kvorum.simulation.scenario;

import org.jspecify.annotations.NullMarked;
