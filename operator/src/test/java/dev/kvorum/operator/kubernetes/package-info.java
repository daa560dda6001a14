/** The operator with a real API server; see {@link dev.kvorum.operator.kubernetes.ControlPlane} for what is real. */
package dev.kvorum.operator.kubernetes;
