package dev.kvorum.node.frame;

/** Takes the frames of a connection, on its event loop. */
interface FrameReceiver {
    /**
     * Takes one frame, whose body it must not keep.
     *
     * @throws MalformedFrameException if it must not come there and then
     */
    void receive(Frame frame);

    /** How long the next frame may be behind its length, in bytes: {@link Frame#REST_MAX} unless less is enough. */
    default int restMax() {
        return Frame.REST_MAX;
    }
}
