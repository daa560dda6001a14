package dev.kvorum.node.boot;

import dev.kvorum.control.Settled;
import dev.kvorum.node.control.LocalMember;
import dev.kvorum.topology.change.MemberReportJson;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;

/** What this node says of itself, and what it is told while the members change. */
@Endpoint(id = "member")
final class MemberEndpoint {
    private final LocalMember member;

    MemberEndpoint(LocalMember member) {
        this.member = member;
    }

    @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> report() {
        return member.report().map(MemberReportJson::write).onErrorMap(ControlRefusals::of);
    }

    /** @param part {@code sizes}: how much it holds, by partition */
    @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> sizes(@Selector String part) {
        ControlRefusals.requirePart("sizes", part);
        return member.sizes().map(MemberReportJson::write).onErrorMap(ControlRefusals::of);
    }

    /**
     * Lets it pull data.
     *
     * @param part {@code settled}
     * @param epoch that all other members go by
     * @param gone ids of members that will never come back, separated by commas
     */
    @WriteOperation
    void settle(@Selector String part, long epoch, @Nullable String gone) {
        ControlRefusals.requirePart("settled", part);
        member.settle(new Settled(epoch, Ids.read(gone))).ifPresent(reason -> {
            throw ControlRefusals.refused(HttpStatus.CONFLICT, "not-settled", reason);
        });
    }
}
