package dev.kvorum.node.repair;

/**
 * Says that all members hold the same of a partition.
 *
 * @param before the millisecond since 1970 from which on versions were not compared; {@link Long#MAX_VALUE} if all were
 * @param at the millisecond since 1970 up to which versions were compared
 * @param droppableBefore what ended before that millisecond may be dropped; {@link Long#MIN_VALUE} if nothing
 * @param lost which disk of who is told was compared ({@link Verifications#lost()}): another may have taken its place meanwhile
 */
record VerifiedCall(int partition, long before, long at, long droppableBefore, long lost) {}
