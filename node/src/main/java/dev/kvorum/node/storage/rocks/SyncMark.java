package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.directory.CheckedNote;
import dev.kvorum.node.storage.directory.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of a database is on the disk: which database, and up to which of its sequence numbers. It lies outside the database and its log, so that a database which comes
 * back with less is known to have lost something.
 *
 * <p>RocksDB recovers what it can read of its log and says nothing of the rest: after a flipped bit in the middle, all that was written behind it is gone. A mark is written
 * behind each sync, and never says more than was synced, so an honest crash never ends below it. It is not synced itself: a power cut may take the last marks, and
 * then a loss behind them goes unnoticed.
 *
 * <p>Any thread may raise it.
 */
final class SyncMark implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyncMark.class);
    private static final Pattern TEXT = Pattern.compile("(([^ \n]{1,64}) +(\\d{1,19})) ([0-9a-f]{8})\n");

    private final Path file;
    private final FileChannel channel;
    private final String database;
    private volatile long sequence;

    /**
     * What a mark says.
     *
     * @param database RocksDB's identity of it
     * @param sequence number of the last write that is on the disk
     */
    record Synced(String database, long sequence) {}

    private SyncMark(Path file, FileChannel channel, String database) {
        this.file = file;
        this.channel = channel;
        this.database = database;
    }

    /** What the last life has noted; empty if there was none, or its note can't be read. Blocks. */
    static Optional<Synced> last(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || !parts.group(4).equals(CheckedNote.checksum(parts.group(1)))) {
            LOG.error(
                    "The note {} of what is on the disk is damaged. The node goes on with the database as it is, but can't tell whether"
                            + " that has lost something. Check the disk",
                    file);
            return Optional.empty();
        }
        return Optional.of(new Synced(parts.group(2), Long.parseLong(parts.group(3))));
    }

    /** Begins the marks of a database that was found whole. Blocks. */
    static SyncMark begin(Path file, String database, long sequence) throws IOException {
        OwnerOnly.replace(Objects.requireNonNull(file.toAbsolutePath().getParent()), file, text(database, sequence));
        FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        SyncMark mark = new SyncMark(file, channel, database);
        mark.sequence = sequence;
        return mark;
    }

    /** Always as long: it is written over in place, within one sector. */
    private static String text(String database, long sequence) {
        String text = "%-64s %19d".formatted(database, sequence);
        return text + " " + CheckedNote.checksum(text) + "\n";
    }

    /** Notes that all up to this number is on the disk. Blocks, for a write to the page cache. */
    synchronized void raise(long synced) throws IOException {
        if (synced > sequence) {
            ByteBuffer bytes = ByteBuffer.wrap(text(database, synced).getBytes(StandardCharsets.ISO_8859_1));
            if (channel.write(bytes, 0) < bytes.limit()) {
                throw new IOException("only a part of " + file + " could be written");
            }
            sequence = synced;
        }
    }

    /** Up to which number all is on the disk. */
    long sequence() {
        return sequence;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
