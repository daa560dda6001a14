package dev.kvorum.node.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLinesTest {
    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    LogLinesTest() {
        context.setMDCAdapter(new LogbackMDCAdapter()); // No event is logged without one.
    }

    private Logger logger(String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(written);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        return root;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%ex",
                "%exception",
                "%throwable",
                "%rEx",
                "%rootException",
                "%xEx",
                "%xException",
                "%xThrowable",
                "%wEx",
                "%wex",
                "%ex{short}",
                "" // Logback adds one by itself.
            })
    void exceptionIsEscapedUnderEachOfItsWords(String word) {
        Logger logger = logger("%msg%n" + word);
        LogLines.escape(context);

        logger.error("thrown", new IllegalStateException("odd\r\n12:00:00 INFO  all is well\u001b[2J"));

        List<String> lines = written.toString(UTF_8).lines().toList();
        assertThat(lines.getFirst()).isEqualTo("thrown");
        assertThat(lines)
                .anyMatch(line -> line.endsWith("IllegalStateException: odd\\r"))
                .filteredOn(line -> line.contains("all is well"))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("\t12:00:00 INFO  all is well\\u001b[2J"));
    }
}
