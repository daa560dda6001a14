package dev.kvorum.node.repair;

/**
 * Says that all members hold the same of a partition.
 *
 * @param at the millisecond since 1970 up to which versions were compared
 * @param droppableBefore what ended before that millisecond may be dropped; {@link Long#MIN_VALUE} if nothing
 */
record VerifiedCall(int partition, long at, long droppableBefore) {}
