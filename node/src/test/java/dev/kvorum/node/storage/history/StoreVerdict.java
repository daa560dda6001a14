package dev.kvorum.node.storage.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a store has kept its promises through its lives. */
public final class StoreVerdict {
    private static final int VERSION_DIGITS = 16;

    private final StoreHistory history;
    private final List<String> wrong = new ArrayList<>();

    private StoreVerdict(StoreHistory history) {
        this.history = history;
    }

    /** What is wrong, in words; empty if nothing is. */
    public static List<String> wrong(StoreHistory history) {
        StoreVerdict verdict = new StoreVerdict(history);
        verdict.judge();
        return verdict.wrong;
    }

    private void judge() {
        List<Cut> cuts =
                history.lives().stream().map(life -> Cut.of(life, history)).toList();
        for (Life life : history.lives()) {
            cuts.get(life.number()).wrong().ifPresent(words -> wrong.add("life " + life.number() + ": " + words));
            if (life.number() > 0 && !life.fresh()) {
                beginning(history.lives().get(life.number() - 1), life);
            }
        }
        troubles();
        drops();
        for (Map.Entry<String, List<Op>> key : history.byKey().entrySet()) {
            new KeyCheck(key.getKey(), key.getValue())
                    .wrong(history.lives(), cuts)
                    .ifPresent(wrong::add);
        }
        history.operations().stream()
                .filter(op -> op.kind() == Op.Kind.PUT || op.kind() == Op.Kind.PAGE)
                .map(Op::key)
                .distinct()
                .forEach(member -> wrong.addAll(new HintCheck(history, cuts, member).wrong()));
    }

    private void troubles() {
        boolean mayBeDamaged = history.lives().stream().anyMatch(life -> life.end() == Life.End.ROT);
        history.troubles().stream()
                .filter(trouble -> !mayBeDamaged || trouble.contains("stuck") || trouble.contains("died"))
                .forEach(wrong::add);
    }

    /** How a life began on what another one has left. */
    private void beginning(Life former, Life life) {
        String refusal = life.refusal();
        if (refusal != null) {
            require(former.end() == Life.End.ROT, life, "it refuses what is whole: " + refusal);
        }
        Life.Opened opened = life.opened();
        if (opened == null) {
            return;
        }
        boolean mayLack = former.end() == Life.End.POWER && !former.syncs();
        require(opened.wasCutOff() == mayLack, life, "that the last writes may be missing: " + opened.wasCutOff());
        long told = history.changes(former).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        require(
                opened.changes() >= told,
                life,
                opened.changes() + " changes on the disk, and " + told + " were before");
        for (Op op : history.operations()) {
            if (op.life() == life.number()
                    && op.kind() == Op.Kind.LOOK
                    && op.ended() < life.ready()
                    && op.isAnswered()) {
                require(time(op.got().get(1)) <= opened.newest(), life, "the newest time is older than " + op);
            }
        }
    }

    private static long time(String cell) {
        return cell.equals(Op.NONE) ? 0 : Long.parseLong(cell.substring(0, VERSION_DIGITS), 16);
    }

    /** What was written while a partition was watched keeps it from being dropped, and nothing else does. */
    private void drops() {
        for (Op drop : history.operations()) {
            if (drop.kind() != Op.Kind.DROP || !drop.isAnswered()) {
                continue;
            }
            Optional<Op> watch = history.operations().stream()
                    .filter(op -> op.kind() == Op.Kind.WATCH && op.life() == drop.life())
                    .filter(op -> op.key().equals(drop.key()) && op.begun() < drop.begun())
                    .reduce((one, next) -> next.begun() > one.begun() ? next : one);
            if (watch.isEmpty()) {
                throw new IllegalArgumentException("a drop without a watch: " + drop);
            }
            Op watched = watch.get();
            List<Op> writes = history.operations().stream()
                    .filter(op -> op.life() == drop.life() && !op.cell().equals(Op.LEFT))
                    .filter(op -> op.key().startsWith(drop.key() + "/"))
                    .filter(op -> op.begun() < drop.ended() && op.ended() > watched.begun())
                    .toList();
            Life life = history.lives().get(drop.life());
            if (drop.got().getFirst().equals("true")) {
                writes.stream()
                        .filter(op -> op.begun() > watched.ended() && op.isBefore(drop))
                        .findFirst()
                        .ifPresent(op -> require(false, life, drop + " took with it " + op));
            } else {
                require(!writes.isEmpty(), life, "nothing was written that kept it: " + drop);
            }
        }
    }

    private void require(boolean right, Life life, String words) {
        if (!right) {
            wrong.add("life " + life.number() + ": " + words);
        }
    }
}
