package dev.kvorum.node.frame;

import org.jspecify.annotations.Nullable;

/** What a frame is. The codes are part of the protocol. */
enum FrameType {
    /** Caller, once and first: who calls. The head is the time in milliseconds within which it sends something, whatever happens. */
    HELLO(1),
    /** Server, once: the connection is good for calls. The head is the version of the protocol that is spoken on it. */
    WELCOME(2),
    /** Server: it is not, for a reason in words. The connection ends with it. */
    GOODBYE(3),
    /** Caller: asks for something. The head is the time in milliseconds that it will wait. */
    CALL(4),
    /** Server: answers a call. The head is the status. */
    REPLY(5),
    /** Caller: the reply to a call is not needed any more. */
    CANCEL(6),
    /** Caller: are you there? */
    PING(7),
    /** Server: yes. */
    PONG(8);

    private static final FrameType[] BY_CODE = new FrameType[PONG.code + 1];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    final byte code;

    FrameType(int code) {
        this.code = (byte) code;
    }

    /** The type of that code, or null. */
    static @Nullable FrameType of(byte code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
