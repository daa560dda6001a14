package dev.kvorum.operator.api;

/** What becomes of volumes that are not needed any more. */
public enum Retention {
    /** They stay, marked, until somebody deletes them. */
    Retain,
    /** They are deleted: with the cluster, or when others hold what the node held. */
    Delete
}
