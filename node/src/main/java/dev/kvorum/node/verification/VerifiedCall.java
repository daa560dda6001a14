package dev.kvorum.node.verification;

/**
 * What came of a partition's comparison with all members.
 *
 * @param boot which process of who is told was compared, by the number that it drew when it started: what was found on the disk of one may be lost to the next
 * @param whole whether who is told holds, or was given, all that any member held of it when the comparison began
 * @param at the millisecond since 1970 up to which all members hold the same of it; {@link Verifications#NEVER} if they do not
 * @param droppableBefore what ended before that millisecond may be dropped; {@link Verifications#NEVER} if nothing
 */
public record VerifiedCall(int partition, long boot, boolean whole, long at, long droppableBefore) {}
