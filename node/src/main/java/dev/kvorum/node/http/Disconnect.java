package dev.kvorum.node.http;

import java.io.IOException;
import reactor.netty.channel.AbortedException;

/** Tells errors that mean no more than that the other side has gone: nobody is there to be answered, and nothing is wrong here. */
public final class Disconnect {
    private Disconnect() {}

    public static boolean isMeantBy(Throwable e) {
        return e instanceof AbortedException || e instanceof IOException;
    }
}
