/**
 * Reads the resource as the API server hands it over. The definition there can be newer or older than this operator.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.reading.ClusterReader}: makes a {@link dev.kvorum.operator.reading.ClusterReading} of an object, by this operator's own definition.
 *   <li>{@link dev.kvorum.operator.reading.Defaults}: fills in what an object lacks.
 *   <li>{@link dev.kvorum.operator.reading.Misfit}: the first field that has a value this operator does not know.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.reading;

import org.jspecify.annotations.NullMarked;
