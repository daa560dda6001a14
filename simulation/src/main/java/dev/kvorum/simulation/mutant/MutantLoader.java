package dev.kvorum.simulation.mutant;

import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Loads the node and the simulation anew, so that they meet the mutant where one is, and all other classes from where they always come. What
 * a run comes to is told in a class of the latter.
 */
final class MutantLoader extends ClassLoader {
    private static final String NODE = "dev.kvorum.node.";
    private static final String SIMULATION = "dev.kvorum.simulation.";
    private static final String VERDICT = Verdict.class.getPackageName() + ".";

    private final Map<String, byte[]> mutated;

    /** @param mutated bytes of classes by their names */
    MutantLoader(Map<String, byte[]> mutated) {
        super(MutantLoader.class.getClassLoader());
        this.mutated = mutated;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isOurs = (name.startsWith(NODE) || name.startsWith(SIMULATION)) && !name.startsWith(VERDICT);
        if (!isOurs) {
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
