/**
 * What a member does after its machine has lost power: with {@code async} the last plain writes that it has acknowledged are missing then. It copies them from the
 * logs of the other members, in seconds, before it serves reads again.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.catchup.CatchUp}: asks all others for the ends of their logs.
 *   <li>{@link dev.kvorum.node.catchup.TailService}: answers, from where {@link dev.kvorum.node.verification.LogMarks} tell on.
 *   <li>{@link dev.kvorum.node.catchup.TailProtocol}: the bytes of both, {@link dev.kvorum.node.catchup.TailCall} and {@link
 *       dev.kvorum.node.catchup.TailPage}.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.catchup;

import org.jspecify.annotations.NullMarked;
