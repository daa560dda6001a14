package dev.kvorum.node.storage.history;

import java.util.List;

/**
 * One operation on one key, note, partition or queue.
 *
 * @param life in which it was begun
 * @param key what it is about
 * @param arguments as the history has them
 * @param begun the line at which it began
 * @param ended the line at which it was answered; {@link #NEVER} if it was not
 * @param got what it was answered, word by word
 * @param failed whether the answer was an error: then it was done or not
 */
record Op(
        Kind kind,
        int life,
        String key,
        List<String> arguments,
        int begun,
        int ended,
        List<String> got,
        boolean failed) {
    static final int NEVER = Integer.MAX_VALUE;
    static final String NONE = "-";
    static final String LEFT = "=";

    /** What it does, by its word in the history. */
    enum Kind {
        WRITE,
        READ,
        REMOVE,
        WATCH,
        DROP,
        STEP,
        LOOK,
        SCAN,
        ROWS,
        PUT,
        PAGE,
        UNHINT,
        NOTE,
        NOTED
    }

    boolean isAnswered() {
        return ended != NEVER && !failed;
    }

    /** Whether it may have changed something, or has. */
    boolean isChange() {
        return switch (kind) {
            case WRITE, NOTE, PUT, UNHINT -> true;
            case REMOVE, DROP -> !isAnswered() || got.getFirst().equals("true");
            case STEP -> !arguments.equals(List.of(LEFT, LEFT));
            case READ, WATCH, LOOK, SCAN, ROWS, PAGE, NOTED -> false;
        };
    }

    /** The cell that it writes; {@link #LEFT} if none. */
    String cell() {
        return switch (kind) {
            case WRITE -> arguments.getFirst();
            case STEP -> arguments.get(1);
            default -> LEFT;
        };
    }

    /** The row, or the note, that it writes, {@link #NONE} if it removes it; {@link #LEFT} if it leaves it. */
    String row() {
        return switch (kind) {
            case STEP, NOTE -> arguments.getFirst();
            default -> LEFT;
        };
    }

    /** Whether all of it was before the other began. */
    boolean isBefore(Op other) {
        return ended < other.begun;
    }

    Op about(Kind as, String oneKey, List<String> found) {
        return new Op(as, life, oneKey, arguments, begun, ended, found, failed);
    }

    @Override
    public String toString() {
        return "life %d, lines %d to %s: %s %s %s -> %s"
                .formatted(
                        life,
                        begun,
                        ended == NEVER ? "never" : ended,
                        kind,
                        key,
                        String.join(" ", arguments),
                        failed ? "error " + got : String.join(" ", got));
    }
}
