/**
 * Text from outside, made safe to show. Node and operator share it.
 *
 * <ul>
 *   <li>{@link dev.kvorum.topology.text.ControlCharacters}: escapes them in log lines.
 * </ul>
 */
@NullMarked
package dev.kvorum.topology.text;

import org.jspecify.annotations.NullMarked;
