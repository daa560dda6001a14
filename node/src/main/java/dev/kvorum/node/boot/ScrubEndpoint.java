package dev.kvorum.node.boot;

import dev.kvorum.node.scrub.Scrub;
import dev.kvorum.node.scrub.ScrubStatus;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The scrub on the management port: what it is doing and has found, and doing it now. */
@Endpoint(id = "scrub")
final class ScrubEndpoint {
    private final Scrub scrub;

    ScrubEndpoint(Scrub scrub) {
        this.scrub = scrub;
    }

    @ReadOperation
    ScrubStatus status() {
        return scrub.status();
    }

    @WriteOperation
    Map<String, Boolean> begin() {
        return Map.of("begun", scrub.begin());
    }
}
