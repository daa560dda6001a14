package dev.kvorum.history;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A history as lines of JSON, so that it can be recorded as it happens, and read by any program:
 *
 * <pre>{@code
 * {"type":"operation","client":3,"node":"n1","life":1,"kind":"write","mode":"quorum","key":"k7","ack":2,"from":3,
 *  "invoked":1200300,"returned":1900100,"outcome":"ok","value":"c3-14","version":"01a1fe425028000076ff4071f97f69d2"}
 * {"type":"loss","node":"n2","since":5000000000,"at":5100000000,"regained":9000000000}
 * {"type":"copy","node":"n1","key":"k7","owner":true,"version":"01a1fe425028000076ff4071f97f69d2","value":"c3-14"}
 * }</pre>
 *
 * Each is one line. {@code expected} is the version that a write with a condition asks for, or {@code absent}; one whose outcome is {@code
 * refused} has the version of the value that was there instead, or none. A field that is null is left out, {@code mayStay} of a copy
 * where it is false, and {@code regained} of a loss where nobody knows it. {@code value} is what a write wrote or what a read found.
 */
public final class HistoryFile {
    private static final JsonMapper JSON = new JsonMapper();

    private HistoryFile() {}

    /** Writes it over whatever that file holds. Blocks. */
    public static void write(History history, Path file) throws IOException {
        try (Writer lines = Files.newBufferedWriter(file)) {
            for (Operation operation : history.operations()) {
                append(lines, line(operation));
            }
            for (DiskLoss loss : history.losses()) {
                append(lines, line(loss));
            }
            for (Copy copy : history.copies()) {
                append(lines, line(copy));
            }
        }
    }

    private static void append(Writer lines, ObjectNode line) throws IOException {
        lines.append(JSON.writeValueAsString(line)).append('\n');
    }

    /** One operation as its line, without the end of the line. */
    public static String lineOf(Operation operation) {
        return JSON.writeValueAsString(line(operation));
    }

    /** One loss as its line, without the end of the line. */
    public static String lineOf(DiskLoss loss) {
        return JSON.writeValueAsString(line(loss));
    }

    /** One copy as its line, without the end of the line. */
    public static String lineOf(Copy copy) {
        return JSON.writeValueAsString(line(copy));
    }

    private static ObjectNode line(Operation operation) {
        Request request = operation.request();
        Answer answer = operation.answer();
        ObjectNode line = typed("operation")
                .put("client", operation.client())
                .put("node", operation.node())
                .put("life", operation.life())
                .put("kind", nameOf(request.kind()))
                .put("mode", nameOf(request.mode()))
                .put("key", request.key())
                .put("ack", request.ack())
                .put("from", request.from())
                .put("invoked", operation.invoked())
                .put("returned", operation.returned())
                .put("outcome", nameOf(answer.outcome()));
        putPresent(line, "value", operation.value());
        putPresent(line, "version", answer.version());
        putPresent(line, "expected", request.expected());
        return line;
    }

    private static ObjectNode line(DiskLoss loss) {
        ObjectNode line = typed("loss")
                .put("node", loss.node())
                .put("since", loss.since())
                .put("at", loss.at());
        return loss.regained() == DiskLoss.NEVER ? line : line.put("regained", loss.regained());
    }

    private static ObjectNode line(Copy copy) {
        ObjectNode line =
                typed("copy").put("node", copy.node()).put("key", copy.key()).put("owner", copy.owner());
        if (copy.mayStay()) {
            line.put("mayStay", true);
        }
        putPresent(line, "version", copy.version());
        putPresent(line, "value", copy.value());
        return line;
    }

    private static ObjectNode typed(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private static void putPresent(ObjectNode line, String name, @Nullable String text) {
        if (text != null) {
            line.put(name, text);
        }
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a file. Blocks.
     *
     * @throws MalformedHistoryException if a line is none of a history
     */
    public static History read(Path file) throws IOException {
        List<Operation> operations = new ArrayList<>();
        List<DiskLoss> losses = new ArrayList<>();
        List<Copy> copies = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                try {
                    read(JSON.readTree(line), operations, losses, copies);
                } catch (JacksonException | IllegalArgumentException e) {
                    throw new MalformedHistoryException(number, String.valueOf(e.getMessage()), e);
                }
            }
        }
        return new History(operations, losses, copies);
    }

    private static void read(JsonNode line, List<Operation> operations, List<DiskLoss> losses, List<Copy> copies) {
        String type = text(line, "type");
        switch (type) {
            case "operation" -> operations.add(operation(line));
            case "loss" -> losses.add(loss(line));
            case "copy" -> copies.add(copy(line));
            default -> throw new IllegalArgumentException("there is no line of type \"" + type + "\"");
        }
    }

    private static Operation operation(JsonNode line) {
        Kind kind = constant(Kind.class, line, "kind");
        String value = present(line, "value");
        boolean isRead = kind == Kind.READ;
        Request request = new Request(
                kind,
                constant(Mode.class, line, "mode"),
                text(line, "key"),
                isRead ? null : value,
                (int) number(line, "ack"),
                (int) number(line, "from"),
                present(line, "expected"));
        Answer answer =
                new Answer(constant(Outcome.class, line, "outcome"), isRead ? value : null, present(line, "version"));
        return new Operation(
                (int) number(line, "client"),
                text(line, "node"),
                (int) number(line, "life"),
                request,
                answer,
                number(line, "invoked"),
                number(line, "returned"));
    }

    private static DiskLoss loss(JsonNode line) {
        return new DiskLoss(
                text(line, "node"),
                number(line, "since"),
                number(line, "at"),
                line.path("regained").longValue(DiskLoss.NEVER));
    }

    private static Copy copy(JsonNode line) {
        return new Copy(
                text(line, "node"),
                text(line, "key"),
                required(line, "owner").booleanValue(),
                line.path("mayStay").booleanValue(false),
                present(line, "version"),
                present(line, "value"));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, JsonNode line, String field) {
        return Enum.valueOf(type, text(line, field).toUpperCase(Locale.ROOT));
    }

    private static long number(JsonNode line, String field) {
        return required(line, field).longValue();
    }

    private static String text(JsonNode line, String field) {
        return required(line, field).stringValue();
    }

    private static @Nullable String present(JsonNode line, String field) {
        JsonNode value = line.get(field);
        return value == null || value.isNull() ? null : value.stringValue();
    }

    private static JsonNode required(JsonNode line, String field) {
        JsonNode value = line.get(field);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return value;
    }
}
