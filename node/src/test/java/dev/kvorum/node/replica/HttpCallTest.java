package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** Where a call over HTTP is cancelled, and what of it is sent then. */
@Timeout(30)
class HttpCallTest {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final HttpCall call = new HttpCall(new BaseSubscriber<ClientHttpResponse>() {});
    private final List<String> cancelledBy = new ArrayList<>();
    private boolean sent;

    @BeforeEach
    void begin() {
        call.onSubscribe(new Subscription() {
            @Override
            public void request(long n) {
                // Nothing answers here.
            }

            @Override
            public void cancel() {
                cancelledBy.add(loop.inEventLoop() ? "loop" : "caller");
            }
        });
    }

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private void send() {
        var _ = call.send(loop, () -> Mono.fromRunnable(() -> sent = true)).subscribe();
    }

    @Test
    void callIsCancelledOnTheLoopOfItsConnection() {
        send();

        call.cancel();
        loop.submit(() -> {}).syncUninterruptibly(); // What the loop had to do before this is done.

        assertThat(sent).isTrue();
        assertThat(cancelledBy).containsExactly("loop");
    }

    @Test
    void callThatWaitsForAConnectionIsCancelledAtOnce() {
        call.cancel();

        assertThat(cancelledBy).containsExactly("caller");
    }

    @Test
    void callThatIsCancelledBeforeItHasAConnectionIsNotSent() {
        call.cancel();

        send();

        assertThat(sent).isFalse();
    }

    @Test
    void callIsCancelledThoughItsLoopHasStopped() {
        send();
        stop();

        call.cancel();

        assertThat(cancelledBy).containsExactly("caller");
    }
}
