package dev.kvorum.node.catchup;

import dev.kvorum.node.catchup.TailPage.PlacedCell;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.copy.KeyedCell;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Ranks;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.ChangesGoneException;
import dev.kvorum.node.verification.LogMarks;
import java.util.OptionalLong;
import reactor.core.publisher.Mono;

/**
 * Gives other members what they have lost of the end of their logs, from this member's own. It does so also while it has much to do: the caller answers no reads meanwhile.
 *
 * <p>Any thread.
 */
public final class TailService {
    private static final int PAGE_BYTES = 192 << 10;

    private final Membership membership;
    private final LocalReplica local;
    private final ChangeLog log;
    private final LogMarks marks;
    private final long life;

    /** @param life drawn by chance, so that no two processes of this node have the same */
    public TailService(Membership membership, LocalReplica local, ChangeLog log, LogMarks marks, long life) {
        this.membership = membership;
        this.local = local;
        this.log = log;
        this.marks = marks;
        this.life = life;
    }

    /** Answers such calls from now on. */
    public void serve(CallHandlers handlers) {
        handlers.on(PeerOperation.TAIL, (body, epoch) -> {
            TailCall call = TailProtocol.decodeCall(body);
            ClusterView view = membership.view();
            ReplicaFailure refusal = local.refusal(epoch); // After that look: the view is of the caller's epoch then.
            return refusal != null
                    ? Mono.just(refusal)
                    : Mono.defer(() -> answer(call, view))
                            .<CallReply>map(page -> new CallReply.Done(TailProtocol.encode(page)))
                            .onErrorResume(e -> Mono.just(failure(e)));
        });
    }

    private Mono<TailPage> answer(TailCall call, ClusterView view) {
        OptionalLong begin = call.isFirst()
                ? marks.before(call.member(), call.start(), call.changes())
                : OptionalLong.of(call.after());
        long last = log.last();
        long upTo = call.isToTheEnd() ? last : call.upTo();
        if (begin.isEmpty() || begin.getAsLong() > upTo || upTo > last) {
            return Mono.error(
                    new ChangesGoneException("it can't tell since when member " + call.member() + " may lack writes"));
        }
        return log.after(
                        begin.getAsLong(),
                        upTo,
                        (partition, cell) -> owes(view, call.member(), partition, cell),
                        PAGE_BYTES)
                .map(page -> new TailPage(
                        life,
                        page.end(),
                        upTo,
                        page.cells().stream()
                                .map(changed -> new PlacedCell(
                                        changed.partition(), new KeyedCell(changed.key(), changed.cell())))
                                .toList()));
    }

    private static boolean owes(ClusterView view, String member, int partition, Cell cell) {
        int rank = Ranks.nowOrNext(view, partition, member);
        return rank >= 0 && cell.copies() > rank;
    }

    private ReplicaFailure failure(Throwable e) {
        return switch (e) {
            case ChangesGoneException gone ->
                new ReplicaFailure(local.member(), Reason.REFUSED, String.valueOf(gone.getMessage()));
            case MalformedCellException damaged ->
                new ReplicaFailure(
                        local.member(), Reason.BROKEN, "a cell in its log is damaged: " + damaged.getMessage());
            default -> local.failure(e);
        };
    }
}
