package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while the topology names this node: one that is no member should get no traffic. */
final class MemberHealth extends AbstractHealthIndicator {
    private final Membership membership;

    MemberHealth(Membership membership) {
        this.membership = membership;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        ClusterView view = membership.view();
        (view.hasSelf() ? health.up() : health.outOfService())
                .withDetail("self", view.self())
                .withDetail("epoch", view.topology().epoch());
    }
}
