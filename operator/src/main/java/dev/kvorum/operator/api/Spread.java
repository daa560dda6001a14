package dev.kvorum.operator.api;

/** Whether two nodes of a cluster may share a Kubernetes node. */
public enum Spread {
    /** Not if it can be avoided. */
    Preferred,
    /** Never: a pod waits instead. */
    Required
}
