package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

class FencesTest {
    private final Bugs bugs = new Bugs();

    private List<String> within(Runnable action) {
        Fences.within(bugs, new Trace(new Timeline(), null), action);
        return bugs.found();
    }

    @Test
    void whatIsGivenToAThreadIsABug() {
        List<String> found = within(() -> {
            var _ = Schedulers.parallel().schedule(() -> {});
            var _ = Mono.delay(Duration.ofMillis(1)).subscribe();
        });

        assertThat(found).hasSize(2);
    }

    @Test
    void droppedErrorIsABug() {
        assertThat(within(() -> Operators.onErrorDropped(new IllegalStateException("dropped"), Context.empty())))
                .singleElement()
                .asString()
                .contains("dropped");
    }

    @Test
    void errorInTheLogIsABugAndAWarningIsNone() {
        assertThat(within(() -> LoggerFactory.getLogger(FencesTest.class).warn("beware")))
                .isEmpty();
        assertThat(within(() -> LoggerFactory.getLogger(FencesTest.class).error("broken")))
                .hasSize(1);
    }

    @Test
    void exceptionThatNobodyCatchesIsABug() {
        assertThat(within(() -> {
                    throw new IllegalStateException("escaped");
                }))
                .singleElement()
                .asString()
                .contains("escaped");
    }

    @Test
    void outsideNothingIsABug() {
        LoggerFactory.getLogger(FencesTest.class).error("none of the simulation's business");

        assertThat(bugs.found()).isEmpty();
    }
}
