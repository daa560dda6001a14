package dev.kvorum.node.replica;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One call over HTTP, which any thread may cancel: where it has a connection, on that connection's event loop.
 *
 * <p>Reactor Netty would let the thread that cancels and the event loop race. The loop may read the end of the answer, give the connection
 * back to the pool and lend it to another call, while the thread is about to close it: then the other call fails, for nothing that its
 * member has done. Or the thread comes between the head of an answer and its body.
 */
final class HttpCall implements CoreSubscriber<ClientHttpResponse>, Subscription {
    private final CoreSubscriber<? super ClientHttpResponse> caller;
    private volatile @Nullable EventLoop loop;
    private volatile boolean cancelled;
    private Subscription exchange = Operators.emptySubscription();

    HttpCall(CoreSubscriber<? super ClientHttpResponse> caller) {
        this.caller = caller;
    }

    /**
     * It has a connection, over which it is to be sent now; and again where Reactor Netty tries another one.
     *
     * @param home the connection's event loop, which calls this
     */
    Mono<Void> send(EventLoop home, Supplier<Mono<Void>> sending) {
        loop = home;
        // Either this sees that it is cancelled, or who cancels it sees the loop. What is not sent is not answered: its
        // connection can't have been lent to another call when the cancelling thread closes it.
        return cancelled ? Mono.never() : sending.get();
    }

    @Override
    public Context currentContext() {
        return caller.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        exchange = subscription;
        caller.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        exchange.request(n);
    }

    @Override
    public void onNext(ClientHttpResponse response) {
        caller.onNext(response);
    }

    @Override
    public void onError(Throwable e) {
        caller.onError(e);
    }

    @Override
    public void onComplete() {
        caller.onComplete();
    }

    @Override
    public void cancel() {
        cancelled = true;
        EventLoop home = loop;
        if (home == null || home.inEventLoop()) {
            exchange.cancel();
            return;
        }
        try {
            home.execute(exchange::cancel);
        } catch (RejectedExecutionException e) {
            exchange.cancel(); // The node stops, and nothing else runs on that loop any more.
        }
    }
}
