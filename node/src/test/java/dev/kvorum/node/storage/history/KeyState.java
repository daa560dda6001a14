package dev.kvorum.node.storage.history;

import org.jspecify.annotations.Nullable;

/** What one key has: its newest cell, and the row of its register. A note is a row without a cell. */
record KeyState(String cell, String row) {
    static final KeyState EMPTY = new KeyState(Op.NONE, Op.NONE);

    /** What an operation leaves of it; null if it would have been answered otherwise. An operation without an answer may have done all that it could. */
    @Nullable
    KeyState after(Op op) {
        return op.isAnswered() && !isAnswer(op) ? null : changed(op);
    }

    private boolean isAnswer(Op op) {
        return switch (op.kind()) {
            case WRITE, NOTE, DROP -> true;
            case READ -> op.got().getFirst().equals(cell);
            case ROWS, NOTED -> op.got().getFirst().equals(row);
            case STEP, LOOK ->
                op.got().getFirst().equals(row) && op.got().get(1).equals(cell);
            case REMOVE ->
                Boolean.parseBoolean(op.got().getFirst())
                        == op.arguments().getFirst().equals(cell);
            case WATCH, SCAN, PUT, PAGE, UNHINT -> throw new IllegalArgumentException("no operation on a key: " + op);
        };
    }

    /** What an operation that has happened leaves of it. */
    KeyState changed(Op op) {
        if (!op.isChange()) {
            return this;
        }
        return switch (op.kind()) {
            case DROP -> new KeyState(Op.NONE, row);
            case REMOVE -> op.arguments().getFirst().equals(cell) ? new KeyState(Op.NONE, row) : this;
            default -> new KeyState(newest(op.cell()), op.row().equals(Op.LEFT) ? row : op.row());
        };
    }

    private String newest(String written) {
        return written.equals(Op.LEFT) || written.compareTo(cell) < 0 ? cell : written;
    }

    /** Whether an operation that changes nothing would see the same in both. */
    boolean looksAs(KeyState other, Op op) {
        return cell.equals(other.cell) && (op.kind() == Op.Kind.READ || row.equals(other.row));
    }
}
