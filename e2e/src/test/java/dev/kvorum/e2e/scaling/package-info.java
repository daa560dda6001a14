/**
 * Scenarios: members that join and leave.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.scaling.MemberChange}: a change of the members by command.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.scaling;

import org.jspecify.annotations.NullMarked;
