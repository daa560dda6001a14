package dev.kvorum.node.boot;

import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.clock.IssuedAhead;
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

/** Up while the topology names this node, its disk works, and its clock is right and was: else it should get no traffic. */
final class MemberHealth extends AbstractHealthIndicator {
    private final Membership membership;
    private final BooleanSupplier diskFails;
    private final Supplier<Optional<String>> objection;
    private final Supplier<Optional<ClockObjection>> clock;
    private final Supplier<Life> life;

    /**
     * @param objection why the disk fails, where that is known
     * @param clock why the node takes no plain writes
     * @param life on its disk: what that lacks is told, and does not count, as the member takes writes and serves other partitions
     */
    MemberHealth(
            Membership membership,
            BooleanSupplier diskFails,
            Supplier<Optional<String>> objection,
            Supplier<Optional<ClockObjection>> clock,
            Supplier<Life> life) {
        this.membership = membership;
        this.diskFails = diskFails;
        this.objection = objection;
        this.clock = clock;
        this.life = life;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        ClusterView view = membership.view();
        boolean failing = diskFails.getAsBoolean();
        objection.get().ifPresent(reason -> health.withDetail("disk", reason));
        Optional<ClockObjection> wrong = clock.get();
        wrong.ifPresent(why -> tell(health, why));
        (view.hasSelf() && !failing && wrong.isEmpty() ? health.up() : health.outOfService())
                .withDetail("diskFails", failing)
                .withDetail("self", view.self())
                .withDetail("epoch", view.topology().epoch())
                .withDetail("life", inWords(life.get()));
    }

    private static void tell(Health.Builder health, ClockObjection why) {
        switch (why) {
            case ClockSkew skew ->
                health.withDetail(
                        "clock",
                        "it shows " + skew.own() + ", those of most members " + skew.members() + ": it is "
                                + skew.inWords()
                                + ". This node takes no plain writes until that is mended; look at its time server");
            case IssuedAhead issued ->
                health.withDetail(
                        "versions",
                        "this node has issued some of " + issued.newest() + ", and it is " + issued.now()
                                + ": they are "
                                + issued.inWords()
                                + ", as its clock was wrong. It takes no plain writes until that time has come. If the clocks of most members"
                                + " were wrong, the command restamp moves the versions back: see \"Versions too far ahead\" in docs/operations.md");
        }
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
