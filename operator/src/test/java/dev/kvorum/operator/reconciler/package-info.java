/** What is read from objects of Kubernetes. */
package dev.kvorum.operator.reconciler;
