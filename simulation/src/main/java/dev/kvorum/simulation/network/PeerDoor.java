package dev.kvorum.simulation.network;

import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.ProcessLife;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Where calls of other members come in: what the peers' port is to a real node. A call may come twice, and is served twice. */
public final class PeerDoor {
    private final PeerIdentity self;
    private final ProcessLife life;
    private final FrameService service;
    private final Bugs bugs;
    private final Map<Long, Disposable.Composite> serving = new LinkedHashMap<>();

    /** @param self who answers here */
    public PeerDoor(PeerIdentity self, ProcessLife life, FrameService service, Bugs bugs) {
        this.self = self;
        this.life = life;
        this.service = service;
        this.bugs = bugs;
    }

    /** Why calls for that member are not for this one; null if they are. */
    @Nullable
    String mistake(String meant) {
        return self.mistake(meant);
    }

    /** A call arrives. */
    void receive(long id, int operation, byte[] body, Consumer<Reply> answer) {
        life.run(() -> {
            Disposable.Composite calls = serving.computeIfAbsent(id, same -> Disposables.composite());
            Disposable call = service.serve(operation, DefaultDataBufferFactory.sharedInstance.wrap(body))
                    .subscribe(
                            reply -> {
                                serving.remove(id);
                                answer.accept(reply);
                            },
                            error -> bugs.add("A call of a peer ended in an error, and not in a reply", error));
            calls.add(call);
        });
    }

    /** The caller does not need the reply any more. */
    void cancel(long id) {
        life.run(() -> {
            Disposable calls = serving.remove(id);
            if (calls != null) {
                calls.dispose();
            }
        });
    }
}
