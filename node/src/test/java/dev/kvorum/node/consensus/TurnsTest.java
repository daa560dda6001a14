package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class TurnsTest {
    private static final Key KEY = Key.of("cart-7");

    private final Turns turns = new Turns();
    private final List<String> begun = new ArrayList<>();

    private Mono<String> work(String name, Sinks.One<String> end) {
        return turns.take(
                KEY,
                () -> {
                    begun.add(name);
                    return end.asMono();
                },
                () -> "crowded");
    }

    @Test
    void secondWaitsForTheFirstAndAnotherKeyForNobody() {
        Sinks.One<String> end = Sinks.one();
        var _ = work("first", end).subscribe();
        var _ = work("second", Sinks.one()).subscribe();
        var _ = turns.take(
                        Key.of("other"),
                        () -> {
                            begun.add("other");
                            return Mono.just("done");
                        },
                        () -> "crowded")
                .subscribe();

        assertThat(begun).containsExactly("first", "other");

        end.tryEmitValue("done").orThrow();
        assertThat(begun).containsExactly("first", "other", "second");
        assertThat(turns.keys()).isEqualTo(1);
    }

    @Test
    void oneThatIsGivenUpWhileItWaitsHoldsUpNobodyAndLetsNobodyPass() {
        Sinks.One<String> end = Sinks.one();
        var _ = work("first", end).subscribe();
        Disposable second = work("second", Sinks.one()).subscribe();
        var _ = work("third", Sinks.one()).subscribe();

        second.dispose();
        assertThat(begun).containsExactly("first");

        end.tryEmitValue("done").orThrow();
        assertThat(begun).containsExactly("first", "third");
    }

    @Test
    void oneThatIsGivenUpAtWorkLetsTheNextBegin() {
        Disposable first = work("first", Sinks.one()).subscribe();
        var _ = work("second", Sinks.one()).subscribe();

        first.dispose();

        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void oneMoreThanMayWaitIsToldSoAtOnce() {
        Disposable first = work("first", Sinks.one()).subscribe();
        for (int i = 0; i < Turns.WAITING_MAX; i++) {
            var _ = work("waits", Sinks.one()).subscribe();
        }

        assertThat(work("one more", Sinks.one()).block()).isEqualTo("crowded");

        first.dispose();
        assertThat(begun).containsExactly("first", "waits");
        assertThat(turns.waiting()).isEqualTo(Turns.WAITING_MAX - 1);
    }

    @Test
    void longLineOfThoseThatEndAtOnceEndsWithoutRecursion() {
        Sinks.One<String> end = Sinks.one();
        List<Integer> depths = new ArrayList<>();
        var _ = work("first", end).subscribe();
        for (int i = 0; i < Turns.WAITING_MAX; i++) {
            var _ = turns.take(
                            KEY,
                            () -> {
                                depths.add(Thread.currentThread().getStackTrace().length);
                                return Mono.just("done");
                            },
                            () -> "crowded")
                    .subscribe();
        }

        end.tryEmitValue("done").orThrow();

        assertThat(depths).hasSize(Turns.WAITING_MAX).containsOnly(depths.getFirst());
        assertThat(turns.keys()).isZero();
    }

    @Test
    void oneThatIsGivenUpWhileOthersWaitBeforeItLetsNoneOfThemPass() {
        var _ = work("first", Sinks.one()).subscribe();
        var _ = work("second", Sinks.one()).subscribe();
        Disposable third = work("third", Sinks.one()).subscribe();

        third.dispose();

        assertThat(begun).containsExactly("first");
        assertThat(turns.waiting()).isOne();
    }
}
