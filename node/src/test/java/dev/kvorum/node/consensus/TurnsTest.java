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
        return turns.take(KEY, () -> {
            begun.add(name);
            return end.asMono();
        });
    }

    @Test
    void secondWaitsForTheFirstAndAnotherKeyForNobody() {
        Sinks.One<String> end = Sinks.one();
        var _ = work("first", end).subscribe();
        var _ = work("second", Sinks.one()).subscribe();
        var _ = turns.take(Key.of("other"), () -> {
                    begun.add("other");
                    return Mono.just("done");
                })
                .subscribe();

        assertThat(begun).containsExactly("first", "other");

        end.tryEmitValue("done").orThrow();
        assertThat(begun).containsExactly("first", "other", "second");
        assertThat(turns.keys()).isEqualTo(1);
    }

    @Test
    void oneThatIsGivenUpHoldsUpNobody() {
        var _ = work("first", Sinks.one()).subscribe();
        Disposable second = work("second", Sinks.one()).subscribe();
        var _ = work("third", Sinks.one()).subscribe();

        second.dispose();

        assertThat(begun).containsExactly("first", "third");
    }
}
