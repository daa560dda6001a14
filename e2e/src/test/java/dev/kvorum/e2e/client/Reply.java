package dev.kvorum.e2e.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a request. */
public sealed interface Reply {
    /** From sending it until its end was here, or was given up. */
    Duration took();

    /**
     * An answer.
     *
     * @param version of the durability receipt
     * @param acks of the durability receipt, as {@code 2/3}
     * @param retryAfter seconds, as the header says
     */
    record Answered(
            int status,
            String body,
            @Nullable String version,
            @Nullable String acks,
            @Nullable String retryAfter,
            Duration took)
            implements Reply {}

    /** None. */
    record Unanswered(String reason, Duration took) implements Reply {}

    /** Whether it is an answer of that status. */
    default boolean is(int status) {
        return this instanceof Answered answered && answered.status() == status;
    }

    /** Whether a client has what it asked for: not where the node failed or was not there. */
    default boolean isServed() {
        return this instanceof Answered answered && answered.status() < 500;
    }

    /** The answer, which is of that status; fails where it is another, or none. */
    default Answered expect(int status) {
        if (!is(status)) {
            throw new AssertionError("Expected " + status + ", not " + this);
        }
        return answered();
    }

    /** The answer; fails where there is none. */
    default Answered answered() {
        return switch (this) {
            case Answered answered -> answered;
            case Unanswered unanswered -> throw new AssertionError("No answer: " + unanswered.reason());
        };
    }
}
