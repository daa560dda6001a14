package dev.kvorum.node.storage.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** A process that locks a file until it is ended. */
final class LockHolder {
    private LockHolder() {}

    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                FileLock lock = Objects.requireNonNull(channel.tryLock())) {
            System.out.println(lock.isValid());
            System.out.flush();
            int _ = System.in.read(); // Until its parent ends.
        }
    }

    /** Returns when the file is locked. */
    static Process start(Path file) throws IOException {
        String java = ProcessHandle.current().info().command().orElse("java");
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), LockHolder.class.getName(), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Objects.requireNonNull(process.inputReader().readLine(), "it ended without a lock");
        return process;
    }
}
