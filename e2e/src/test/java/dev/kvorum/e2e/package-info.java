/**
 * Clusters of containers and on Kubernetes, broken on purpose, seen through HTTP, metrics and manifests alone: nothing here knows a class of node or operator.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.cluster}: containers of the node's image on one network, and their life.
 *   <li>{@link dev.kvorum.e2e.fault}: what is done to them; closing a fault ends it.
 *   <li>{@link dev.kvorum.e2e.TestCluster}: a cluster for the scenarios of a class, or for each of them; JUnit starts and stops it.
 *   <li>{@link dev.kvorum.e2e.record}: what clients saw.
 *   <li>{@link dev.kvorum.e2e.client}: requests, and what is answered to them.
 *   <li>{@link dev.kvorum.e2e.traffic}: many clients at once while something happens.
 *   <li>{@link dev.kvorum.e2e.report}: what is kept of a scenario that fails.
 *   <li>{@link dev.kvorum.e2e.kubernetes}: clusters that the operator looks after, and what is done to them.
 *   <li>the others: scenarios, a folder per concern.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e;

import org.jspecify.annotations.NullMarked;
