package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.thread.TimeSlice;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import reactor.netty.resources.LoopResources;

class ServerWiringTest {
    /** As long as others', where the system does not tell. */
    @Test
    void eventLoopsHaveShortSlices() {
        HttpSettings settings = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("kvorum.http", HttpSettings.class);
        LoopResources loops = new ServerWiring().loopResources(settings);
        try {
            long expected = TimeSlice.ofThisThread() == 0 ? 0 : TimeSlice.SHORTEST;
            assertThat(loops.onServer(true))
                    .allSatisfy(loop -> assertThat(
                                    loop.submit(TimeSlice::ofThisThread).get())
                            .isEqualTo(expected));
        } finally {
            loops.dispose();
        }
    }
}
