package dev.kvorum.node.http.peer;

import java.util.Optional;
import java.util.Set;
import reactor.core.publisher.Mono;

/** What whoever changes the members may ask of a node. Any thread; nothing blocks the caller. Answers are JSON. */
public interface MemberService {
    /** The topology in force. */
    byte[] topology();

    /** Takes a topology over, and answers it; errors as those of {@link dev.kvorum.node.membership.TopologyExchange#propose}. */
    Mono<byte[]> publish(byte[] topology);

    /** What the node says of itself. */
    Mono<byte[]> report();

    /** How much it holds. */
    Mono<byte[]> sizes();

    /** All members but these go by that epoch; why not, or empty. */
    Optional<String> settle(long epoch, Set<String> gone);
}
