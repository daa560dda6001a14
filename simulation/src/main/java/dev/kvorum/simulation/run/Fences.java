package dev.kvorum.simulation.run;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Trace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

/**
 * Nothing may leave the thread of a simulation, and nothing may fail there in silence: what is given to one of Reactor's own schedulers or
 * logged as an error is a bug. Errors that Reactor has to drop it logs.
 */
final class Fences {
    private static final String KEY = "kvorum-simulation-" + System.identityHashCode(Fences.class);
    private static final ThreadLocal<@Nullable Fences> INSIDE = new ThreadLocal<>();

    static {
        Schedulers.onScheduleHook(KEY, Fences::scheduled);
        LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
        Listener listener = new Listener();
        listener.setContext(logs);
        listener.start();
        logs.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(listener);
    }

    /** Whether a member says so with reason is looked at where its disk is set aside. */
    private static final String OF_LOST_DATA = "dev.kvorum.node.core.Opening";

    private final Bugs bugs;
    private final Trace trace;

    private Fences(Bugs bugs, Trace trace) {
        this.bugs = bugs;
        this.trace = trace;
    }

    /** Runs that within the fences. */
    static void within(Bugs bugs, Trace trace, Runnable simulation) {
        INSIDE.set(new Fences(bugs, trace));
        try {
            simulation.run();
        } catch (RuntimeException | Error e) {
            bugs.add("The simulation ended in an error", e);
        } finally {
            INSIDE.remove();
        }
    }

    private static Runnable scheduled(Runnable task) {
        Fences fences = INSIDE.get();
        if (fences != null) {
            fences.bugs.add("Something was to run on a thread", new IllegalStateException(task.toString()));
        }
        return task;
    }

    /** The log of the nodes: errors are bugs, but for those about a disk that has lost something, and all of it belongs to the trace. */
    private static final class Listener extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            Fences fences = INSIDE.get();
            if (fences == null) {
                return;
            }
            fences.trace.comment("log", () -> event.getLevel() + " " + event.getFormattedMessage());
            if (event.getLevel().isGreaterOrEqual(Level.ERROR)
                    && !event.getLoggerName().equals(OF_LOST_DATA)
                    && !fences.bugs.isExpected(event.getFormattedMessage())) {
                fences.bugs.add("In the log: " + event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())));
            }
        }
    }
}
