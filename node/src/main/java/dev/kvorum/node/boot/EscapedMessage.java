package dev.kvorum.node.boot;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.kvorum.topology.text.ControlCharacters;

/** The message of a log event on one line: control characters and line separators are written as Java escapes. */
public final class EscapedMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return ControlCharacters.escaped(super.convert(event), "");
    }
}
