package dev.kvorum.node.frame;

/** Bytes that are not the protocol: the connection they came over is closed. */
final class MalformedFrameException extends RuntimeException {
    MalformedFrameException(String reason) {
        super(reason, null, false, false); // It tells of the other side, not of this code.
    }
}
