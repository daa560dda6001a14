/**
 * What users install: the Helm charts beside this module, and the manifests of {@code k8s/}, rendered by Helm itself and looked at as data.
 *
 * <ul>
 *   <li>{@link dev.kvorum.charts.Chart}: a chart, and what it renders to.
 *   <li>{@link dev.kvorum.charts.Manifest}: one object of Kubernetes, by paths.
 *   <li>{@link dev.kvorum.charts.NeedsHelm}: where Helm can run.
 *   <li>{@link dev.kvorum.charts.RestrictedPods}: what pods must keep to.
 *   <li>{@link dev.kvorum.charts.Manifests}: where those of {@code k8s/} are.
 * </ul>
 */
@NullMarked
package dev.kvorum.charts;

import org.jspecify.annotations.NullMarked;
