package dev.kvorum.node.cluster;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A value to which many writers append, each of them by reading it and writing it back under the condition that nobody has written meanwhile. A word that was
 * acknowledged must be in it, once and for good; one whose condition failed must not, unless it was tried again.
 */
public final class TokenLog {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final int READS_MAX = 1500; // With their pauses half a minute.

    private final String key;
    private final List<RegisterClient> nodes;
    private final List<String> acknowledged = new ArrayList<>();
    private final Set<String> unknown = new HashSet<>();

    public TokenLog(String key, List<RegisterClient> nodes) {
        this.key = key;
        this.nodes = nodes;
    }

    /** Lets so many threads append so many words each, and waits for them. */
    public void append(int writers, int words, long seed) throws InterruptedException {
        append(writers, words, seed, () -> true);
    }

    /** The same as long as that is wanted. */
    public void append(int writers, int words, long seed, BooleanSupplier wanted) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            String name = "w" + i;
            Random random = new Random(seed + i);
            threads.add(Thread.ofVirtual().start(() -> {
                for (int j = 0; j < words && wanted.getAsBoolean(); j++) {
                    append(name + "." + j, random, wanted);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void append(String word, Random random, BooleanSupplier wanted) {
        while (wanted.getAsBoolean()) {
            RegisterClient node = nodes.get(random.nextInt(nodes.size()));
            Optional<HttpResponse<byte[]>> present = read(node);
            if (present.isPresent() && isDone(word, node, present.get())) {
                return;
            }
        }
    }

    /** Empty where the node is gone or can't tell; then its client waits a little, as any would. */
    private Optional<HttpResponse<byte[]>> read(RegisterClient node) {
        try {
            HttpResponse<byte[]> present = node.get(key);
            if (present.statusCode() == 200 || present.statusCode() == 404) {
                return Optional.of(present);
            }
        } catch (CompletionException gone) {
            // Nothing was asked of it yet that could have been done.
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return Optional.empty();
    }

    /** Whether the word needs no other attempt. */
    private boolean isDone(String word, RegisterClient node, HttpResponse<byte[]> present) {
        try {
            return isWritten(word, node, present);
        } catch (CompletionException gone) {
            note(unknown, word); // The connection broke: so it may have been written.
            return true;
        }
    }

    private boolean isWritten(String word, RegisterClient node, HttpResponse<byte[]> present) {
        boolean isEmpty = present.statusCode() == 404;
        String value = isEmpty ? word : new String(present.body(), StandardCharsets.UTF_8) + " " + word;
        HttpResponse<byte[]> written = isEmpty
                ? node.put(key, value, "If-None-Match", "*")
                : node.put(key, value, "If-Match", RegisterClient.etag(present));
        switch (written.statusCode()) {
            case 201 -> note(acknowledged, word);
            case 412 -> {
                return false;
            }
            default -> {
                String detail = new String(written.body(), StandardCharsets.UTF_8);
                boolean wasLetIn = written.statusCode() != 503 || detail.contains("unknown, not failed");
                if (!wasLetIn || detail.contains("Nothing was written")) {
                    return false;
                }
                note(unknown, word);
            }
        }
        return true;
    }

    private void note(Collection<String> words, String word) {
        synchronized (this) {
            words.add(word);
        }
    }

    public synchronized List<String> acknowledged() {
        return List.copyOf(acknowledged);
    }

    public synchronized Set<String> unknown() {
        return Set.copyOf(unknown);
    }

    /** The words in it now, in order. */
    public List<String> words() {
        for (int attempt = 0; attempt < READS_MAX; attempt++) {
            Optional<HttpResponse<byte[]>> present = read(nodes.get(attempt % nodes.size()));
            if (present.isPresent()) {
                return wordsOf(present.get());
            }
        }
        throw new IllegalStateException("No node can tell what is there");
    }

    private static List<String> wordsOf(HttpResponse<byte[]> present) {
        return present.statusCode() == 404
                ? List.of()
                : Arrays.asList(new String(present.body(), StandardCharsets.UTF_8).split(" "));
    }
}
