package dev.kvorum.node.boot;

import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Loss;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
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
    private final Supplier<Life> life;

    /**
     * @param objection why the disk fails, where that is known
     * @param skew what is wrong with the clock
     * @param life on its disk: what that lacks is told, and does not count, as the member takes writes and serves other partitions
     */
    MemberHealth(
            Membership membership,
            BooleanSupplier diskFails,
            Supplier<Optional<String>> objection,
            Supplier<Optional<ClockSkew>> skew,
            Supplier<Life> life) {
        this.membership = membership;
        this.diskFails = diskFails;
        this.objection = objection;
        this.skew = skew;
        this.life = life;
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
                .withDetail("epoch", view.topology().epoch())
                .withDetail("life", inWords(life.get()));
    }

    private static Map<String, Object> inWords(Life life) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("start", life.start());
        Loss loss = life.loss();
        words.put("diskComplete", loss == null);
        if (loss != null) {
            words.put("lost", loss.extent());
            words.put("lostBefore", Instant.ofEpochMilli(loss.before()).toString());
            words.put("partitionsNotWhole", loss.partitions());
            words.put("why", loss.why());
        }
        return words;
    }
}
