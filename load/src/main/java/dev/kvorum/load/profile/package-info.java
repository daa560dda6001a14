/**
 * Where the nodes' time goes.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.profile.Profiler}: records nodes while they are measured.
 *   <li>{@link dev.kvorum.load.profile.FlameGraphs}: pages from a recording.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.profile;

import org.jspecify.annotations.NullMarked;
