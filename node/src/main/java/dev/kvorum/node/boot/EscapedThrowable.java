package dev.kvorum.node.boot;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.kvorum.topology.text.ControlCharacters;

/** An exception in a log: each of its lines begins with a tab, as no line of an event does, and its control characters are escaped. */
public final class EscapedThrowable extends ThrowableProxyConverter {
    @Override
    protected String throwableProxyToString(IThrowableProxy throwable) {
        String text = super.throwableProxyToString(throwable).replace(System.lineSeparator(), "\n");
        String lines = ControlCharacters.escaped(text.stripTrailing(), "\n\t").replace("\n", "\n\t");
        return "\t" + lines + "\n";
    }
}
