package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while the topology names this node and its disk works: else it should get no traffic. */
final class MemberHealth extends AbstractHealthIndicator {
    private final Membership membership;
    private final BooleanSupplier diskFails;
    private final Supplier<Optional<String>> objection;

    /** @param objection why the disk fails, where that is known */
    MemberHealth(Membership membership, BooleanSupplier diskFails, Supplier<Optional<String>> objection) {
        this.membership = membership;
        this.diskFails = diskFails;
        this.objection = objection;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        ClusterView view = membership.view();
        boolean failing = diskFails.getAsBoolean();
        objection.get().ifPresent(reason -> health.withDetail("disk", reason));
        (view.hasSelf() && !failing ? health.up() : health.outOfService())
                .withDetail("diskFails", failing)
                .withDetail("self", view.self())
                .withDetail("epoch", view.topology().epoch());
    }
}
