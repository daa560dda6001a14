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
            beginning(life);
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
        for (StoreHistory.Trouble trouble : history.troubles()) {
            String words = trouble.words();
            Life life = history.lives().get(trouble.life());
            require(history.isRotten(life) && !words.contains("stuck") && !words.contains("died"), life, words);
        }
    }

    /** How a life began on what others have left. */
    private void beginning(Life life) {
        String refusal = life.refusal();
        if (refusal != null) {
            require(history.isRotten(life), life, "it refuses what is whole: " + refusal);
        }
        Life.Opened opened = life.opened();
        if (opened == null) {
            return;
        }
        if (!life.fresh()) {
            missing(life, opened);
        }
        long told = history.formers(life).stream()
                .flatMap(former -> history.changes(former).stream())
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

    /** Whether it says that the last writes may be missing. A life that was killed as it opened the store may have said so in its place, or not. */
    private void missing(Life life, Life.Opened opened) {
        List<Life> formers = history.formers(life);
        int last = formers.size() - 1;
        while (last >= 0 && formers.get(last).hasNotOpened()) {
            last--;
        }
        boolean losesPower = !life.syncs()
                && formers.subList(Math.max(0, last), formers.size()).stream().anyMatch(StoreVerdict::losesPower);
        boolean mayLack = losesPower && last >= 0 && formers.get(last).end() != Life.End.CLOSED;
        require(
                opened.wasCutOff() == mayLack || (last < formers.size() - 1 && (!opened.wasCutOff() || losesPower)),
                life,
                "that the last writes may be missing: " + opened.wasCutOff());
        boolean hasLostPower = !life.syncs() && formers.stream().anyMatch(StoreVerdict::losesPower);
        require(
                mayLack ? opened.incomplete() : !opened.incomplete() || hasLostPower,
                life,
                "that the last writes may be missing is noted: " + opened.incomplete());
    }

    private static boolean losesPower(Life life) {
        return life.end() == Life.End.POWER;
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
