package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;

/** What an {@link Outbox} sends: in one frame, or in as many as its body needs. Confined to the event loop once it is offered. */
class Message {
    static final byte[] NOTHING = {};

    private final FrameType type;
    private final int operation;
    private final int head;
    private final byte[] body;
    private int id;
    private int sent;
    private boolean begun;

    /** @param body not copied: must not be changed */
    Message(FrameType type, int operation, int id, int head, byte[] body) {
        this.type = type;
        this.operation = operation;
        this.id = id;
        this.head = head;
        this.body = body;
    }

    /** One that belongs to no call. */
    static Message of(FrameType type, int head, byte[] body) {
        return new Message(type, 0, 0, head, body);
    }

    final int id() {
        return id;
    }

    /** Gives a call its id, before it is offered. */
    final void number(int callId) {
        this.id = callId;
    }

    /** What its frames say besides their body, by their type. */
    int head() {
        return head;
    }

    final int bytes() {
        return body.length;
    }

    /** Whether it may be refused where too many bytes wait already. */
    boolean mayBeRefused() {
        return bytes() > 0;
    }

    /** Asked before each of its frames; false if no more of it need be sent. */
    boolean proceeds() {
        return true;
    }

    /** Told when it is sent, or given up. */
    void done() {}

    final boolean hasBegun() {
        return begun;
    }

    /** Writes its next frame; whether another must follow. */
    final boolean writeFrame(ByteBuf out) {
        int length = Math.min(Frame.BODY_MAX, body.length - sent);
        Frame.write(out, type, operation, id, head(), body, sent, length);
        begun = true;
        sent += length;
        return sent < body.length;
    }
}
