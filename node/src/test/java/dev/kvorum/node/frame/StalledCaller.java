package dev.kvorum.node.frame;

import java.util.Arrays;

/** A member that stops in the middle of something. */
public final class StalledCaller {
    private static final int WAIT_MILLIS = 60_000;

    private StalledCaller() {}

    /** The first bytes of a greeting, of which the last is missing. */
    public static byte[] halfAGreeting(String cluster) {
        byte[] greeting = RawFrames.hello(3, cluster);
        return Arrays.copyOf(greeting, greeting.length - 1);
    }

    /** A greeting that promises a sign of life at that pace. */
    public static byte[] greeting(String cluster, int beatMillis) {
        return RawFrames.hello(3, cluster, beatMillis);
    }

    /** A call whose last byte is missing. */
    public static byte[] halfACall() {
        byte[] call = RawFrames.call(1, WAIT_MILLIS, "x".repeat(100));
        return Arrays.copyOf(call, call.length - 1);
    }

    public static byte[] signsOfLife(int count) {
        byte[][] signs = new byte[count][];
        Arrays.fill(signs, RawFrames.frame(FrameType.PING, 0, 0, new byte[0]));
        return RawFrames.joined(signs);
    }
}
