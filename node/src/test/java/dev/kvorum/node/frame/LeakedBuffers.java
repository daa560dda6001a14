package dev.kvorum.node.frame;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Follows every buffer of Netty from when it is made, and tells those that were lost without being released. */
public final class LeakedBuffers implements AutoCloseable {
    private static final int ROUNDS = 5;
    private static final int BUFFERS_PER_ROUND = 20;

    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

    public LeakedBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        report(); // What tests before have lost is none of it.
        reports.start();
        logger.addAppender(reports);
    }

    /** What was lost so far. Netty reports that with its next buffers, once the garbage collector has been there. */
    public List<String> found() {
        report();
        return reports.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @SuppressWarnings("PMD.DoNotCallGarbageCollectionExplicitly") // It is what finds them.
    private static void report() {
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            for (int j = 0; j < BUFFERS_PER_ROUND; j++) {
                ByteBufAllocator.DEFAULT.directBuffer().release();
            }
        }
    }

    @Override
    public void close() {
        ResourceLeakDetector.setLevel(levelBefore);
        logger.detachAppender(reports);
    }
}
