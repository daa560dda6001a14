package dev.kvorum.node.storage.rocks;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes lines to the pipe that leads to the parent: what is in it outlives this process. A line is there when the call returns. Any thread. */
final class LifeRecord {
    private final FileOutputStream pipe = new FileOutputStream(FileDescriptor.out);

    synchronized void tell(String line) {
        try {
            pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // The parent has gone: so does this process.
        }
    }

    void begun(long id, String operation) {
        tell("i " + id + " " + operation);
    }

    void ended(long id, String outcome) {
        tell(("o " + id + " " + outcome).strip());
    }

    void failed(long id, Throwable cause) {
        tell("e " + id + " " + inWords(cause));
    }

    static String inWords(Throwable cause) {
        return cause.getClass().getSimpleName() + " "
                + String.valueOf(cause.getMessage()).replace('\n', ' ');
    }
}
