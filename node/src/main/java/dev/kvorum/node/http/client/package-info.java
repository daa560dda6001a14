/**
 * The client port: the entity API and the topology, for anybody who speaks HTTP.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.http.client.ClientHandler}: from path and method to what serves them.
 *   <li>{@link dev.kvorum.node.http.client.EntityHandler}: GET, HEAD, PUT and DELETE of one entity.
 *   <li>{@link dev.kvorum.node.http.client.EntityOperations}: what it may ask the coordinators for.
 *   <li>{@link dev.kvorum.node.http.client.EntityQuery}: the parameters of such a request.
 *   <li>{@link dev.kvorum.node.http.client.Consistency}, {@link dev.kvorum.node.http.client.Conditions}: what a request wants to be promised, and
 *       what must hold for a write to be done.
 *   <li>{@link dev.kvorum.node.http.client.EntityAnswer}: from an outcome to a status, a receipt and a body.
 *   <li>{@link dev.kvorum.node.http.client.TopologyHandler}: what the cluster looks like from here.
 *   <li>{@link dev.kvorum.node.http.client.ClientMetrics}: operations by outcome.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.http.client;

import org.jspecify.annotations.NullMarked;
