package dev.kvorum.operator.api;

/** Who lets a change of the members begin. */
public enum Approval {
    /** Nobody: it begins when it is asked for. */
    Automatic,
    /** A person, by an annotation that names the plan. */
    Manual
}
