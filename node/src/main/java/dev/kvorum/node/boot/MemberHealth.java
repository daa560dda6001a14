package dev.kvorum.node.boot;

import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while the topology names this node, its disk works and its clock is right: else it should get no traffic. */
final class MemberHealth extends AbstractHealthIndicator {
    private final Membership membership;
    private final BooleanSupplier diskFails;
    private final Supplier<Optional<String>> objection;
    private final Supplier<Optional<ClockSkew>> skew;

    /**
     * @param objection why the disk fails, where that is known
     * @param skew what is wrong with the clock
     */
    MemberHealth(
            Membership membership,
            BooleanSupplier diskFails,
            Supplier<Optional<String>> objection,
            Supplier<Optional<ClockSkew>> skew) {
        this.membership = membership;
        this.diskFails = diskFails;
        this.objection = objection;
        this.skew = skew;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        ClusterView view = membership.view();
        boolean failing = diskFails.getAsBoolean();
        objection.get().ifPresent(reason -> health.withDetail("disk", reason));
        Optional<ClockSkew> wrong = skew.get();
        wrong.ifPresent(clock -> health.withDetail(
                "clock",
                "it shows " + clock.own() + ", those of most members " + clock.members() + ": it is " + clock.inWords()
                        + ". This node takes no plain writes until that is mended; look at its time server"));
        (view.hasSelf() && !failing && wrong.isEmpty() ? health.up() : health.outOfService())
                .withDetail("diskFails", failing)
                .withDetail("self", view.self())
                .withDetail("epoch", view.topology().epoch());
    }
}
