package dev.kvorum.simulation.mutant;

import dev.kvorum.history.History;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Loads the classes of the project anew, so that they meet the mutant where there is one. Verdicts and histories are shared with the caller, who reads
 * them, and so are the libraries.
 */
final class MutantLoader extends ClassLoader {
    private static final String PROJECT = "dev.kvorum.";
    private static final String VERDICT = Verdict.class.getPackageName() + ".";
    private static final String HISTORY = History.class.getPackageName() + ".";

    private final Map<String, byte[]> mutated;

    /**
     * @param mutated bytes of classes by their names
     * @throws IllegalStateException if one of them is shared with the caller: its runs would not meet the mistake
     */
    MutantLoader(Map<String, byte[]> mutated) {
        super(MutantLoader.class.getClassLoader());
        mutated.keySet().stream().filter(name -> !isAnew(name)).findFirst().ifPresent(name -> {
            throw new IllegalStateException(name + " is not loaded anew, so no run would meet a mistake in it");
        });
        this.mutated = mutated;
    }

    private static boolean isAnew(String name) {
        return name.startsWith(PROJECT) && !name.startsWith(VERDICT) && !name.startsWith(HISTORY);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isAnew(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = mutated.containsKey(name) ? mutated.get(name) : original(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return bytes.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
