@NullMarked
package dev.kvorum.simulation.network;

import org.jspecify.annotations.NullMarked;
