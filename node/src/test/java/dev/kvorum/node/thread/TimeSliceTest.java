package dev.kvorum.node.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Of the threads of this process, by what the system tells of them. */
class TimeSliceTest {
    private static <T> T onThread(Supplier<T> asked) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> answer.completeAsync(asked, Runnable::run));
        return answer.join();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void threadHasTheShortestSliceAndThoseItStartsHaveTheUsualOne() {
        long usual = onThread(TimeSlice::ofThisThread);
        assumeThat(usual).as("slices of their own, as of Linux 6.12").isPositive();

        long started = onThread(() -> {
            TimeSlice.shorten();
            TimeSlice.shorten();
            assertThat(TimeSlice.ofThisThread()).isEqualTo(TimeSlice.SHORTEST);
            return onThread(TimeSlice::ofThisThread);
        });

        assertThat(started).isEqualTo(usual).isNotEqualTo(TimeSlice.SHORTEST);
        assertThat(onThread(TimeSlice::ofThisThread)).isEqualTo(usual);
    }

    @Test
    void numbersOfCallsAreKnownForLinuxOnTwoProcessorsAlone() {
        assertThatThrownBy(() -> SchedulingCalls.of("Mac OS X", "aarch64")).hasMessageContaining("Mac OS X");
        assertThatThrownBy(() -> SchedulingCalls.of("Linux", "ppc64le")).hasMessageContaining("ppc64le");
    }
}
