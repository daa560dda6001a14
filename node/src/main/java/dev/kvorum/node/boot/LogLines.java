package dev.kvorum.node.boot;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.EnsureExceptionHandling;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.pattern.Converter;
import ch.qos.logback.core.pattern.ConverterUtil;
import ch.qos.logback.core.pattern.DynamicConverter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Keeps one event of a plain-text log on lines that nobody else can write: control characters of its message and its exception are escaped,
 * whatever pattern is set. Structured logs escape them by themselves. Runs right after logging is set up.
 */
final class LogLines implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final List<String> MESSAGE_WORDS = List.of("m", "msg", "message");
    private static final List<String> THROWABLE_WORDS = List.of(
            "ex", "exception", "throwable", "rEx", "rootException", "xEx", "xException", "xThrowable", "wEx", "wex");

    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            escape(context);
        }
    }

    static void escape(LoggerContext context) {
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        appenders.forEachRemaining(LogLines::escape);
    }

    private static void escape(Appender<ILoggingEvent> appender) {
        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
                && stream.getEncoder() instanceof PatternLayoutEncoder encoder
                && encoder.getLayout() instanceof PatternLayout layout) {
            escape(layout);
        }
    }

    @SuppressWarnings("rawtypes") // Logback's map has them.
    private static void escape(PatternLayout layout) {
        Map<String, Supplier<DynamicConverter>> converters = layout.getInstanceConverterMap();
        for (String word : MESSAGE_WORDS) {
            converters.put(word, EscapedMessage::new);
        }
        for (String word : THROWABLE_WORDS) {
            converters.put(word, EscapedThrowable::new);
        }
        layout.setPostCompileProcessor(LogLines::appendThrowable);
        layout.start(); // Reads the pattern again.
    }

    /** A pattern without an exception's word gets one, as Logback does it with a converter of its own. */
    private static void appendThrowable(Context context, Converter<ILoggingEvent> head) {
        if (!new EnsureExceptionHandling().chainHandlesThrowable(head)) {
            ConverterUtil.findTail(head).setNext(new EscapedThrowable());
        }
    }
}
