package dev.kvorum.node.verification;

/**
 * What members tell each other of what they hold on their disks.
 *
 * @param own how far this member's directory has come
 * @param others how far those of the others have, as this member remembers
 * @param logs where their logs stood at which time
 */
public record DirectoryWatch(OwnProgress own, RememberedProgress others, LogMarks logs) {}
