package dev.kvorum.topology;

/** Whom reads ask while a membership change is running; writes go to both all the while. */
public enum Reads {
    /** The owners before the change: those after it may not hold everything yet. */
    CURRENT,
    /** The owners after it, which have been verified to hold everything. */
    NEXT,
    /** The owners before it again: some who have not heard of that may still ask those after it. */
    BACK
}
