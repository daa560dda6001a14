package dev.kvorum.node.replica;

import dev.kvorum.node.frame.CallFailedException;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * How members are called.
 *
 * @param web any of them
 * @param refusal with what a call to a member would fail at once if it were made now; null where it would be sent or wait. Must be quick
 */
public record PeerClient(WebClient web, Function<URI, @Nullable CallFailedException> refusal) {
    /** Of which it is not known what fails before it is tried. */
    public static PeerClient of(WebClient web) {
        return new PeerClient(web, peer -> null);
    }
}
