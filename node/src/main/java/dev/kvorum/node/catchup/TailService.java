package dev.kvorum.node.catchup;

import dev.kvorum.node.catchup.TailPage.PlacedCell;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.copy.CopyUnavailableException;
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
import dev.kvorum.node.storage.StoreOverloadedException;
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
    private final ChangeLog log;
    private final LogMarks marks;
    private final long life;

    /** @param life drawn by chance, so that no two processes of this node have the same */
    public TailService(Membership membership, ChangeLog log, LogMarks marks, long life) {
        this.membership = membership;
        this.log = log;
        this.marks = marks;
        this.life = life;
    }

    /** Answers such calls from now on. */
    public void serve(CallHandlers handlers) {
        handlers.on(PeerOperation.TAIL, (body, epoch) -> {
            TailCall call = TailProtocol.decodeCall(body);
            return Mono.defer(() -> answer(call, epoch))
                    .<CallReply>map(page -> new CallReply.Done(TailProtocol.encode(page)))
                    .onErrorResume(e -> Mono.just(failure(e)));
        });
    }

    private Mono<TailPage> answer(TailCall call, long epoch) {
        ClusterView view = membership.view();
        if (view.epoch() != epoch) {
            return Mono.error(new CopyUnavailableException(new ReplicaFailure(
                    view.self(),
                    epoch < view.epoch() ? Reason.STALE : Reason.BEHIND,
                    "it goes by epoch " + view.epoch() + ", not " + epoch)));
        }
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
        String self = membership.view().self();
        return switch (e) {
            case CopyUnavailableException other -> other.failure();
            case ChangesGoneException gone ->
                new ReplicaFailure(self, Reason.REFUSED, String.valueOf(gone.getMessage()));
            case StoreOverloadedException full ->
                new ReplicaFailure(self, Reason.OVERLOADED, String.valueOf(full.getMessage()));
            case MalformedCellException damaged ->
                new ReplicaFailure(self, Reason.BROKEN, "a cell in its log is damaged: " + damaged.getMessage());
            default -> new ReplicaFailure(self, Reason.BROKEN, LocalReplica.inWords(e));
        };
    }
}
