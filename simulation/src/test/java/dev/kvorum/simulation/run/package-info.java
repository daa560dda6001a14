@NullMarked
package dev.kvorum.simulation.run;

import org.jspecify.annotations.NullMarked;
