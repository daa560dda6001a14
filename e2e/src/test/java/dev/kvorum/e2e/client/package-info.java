/**
 * Requests of clients, what is answered to them, and the record of both.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.client.EntityClient}: one client, which speaks to whichever node it is told to, and records what it saw.
 *   <li>{@link dev.kvorum.e2e.client.Quorum}: how many replicas must answer out of how many.
 *   <li>{@link dev.kvorum.e2e.client.Reply}: an answer, or why there is none.
 *   <li>{@link dev.kvorum.e2e.client.Metrics}: what a node says of itself.
 *   <li>{@link dev.kvorum.e2e.client.MemberReport}: what it says of itself to whoever changes the members.
 *   <li>{@link dev.kvorum.e2e.client.Question}: how a node is asked for both.
 *   <li>{@link dev.kvorum.e2e.client.RawConnection}: bytes to a node that need not be HTTP.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.client;

import org.jspecify.annotations.NullMarked;
