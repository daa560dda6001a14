package dev.kvorum.node.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * Settings by the names of their components, without an environment to bind them from: for the simulation, tests and benchmarks, none of which a new setting changes. It uses reflection.
 * One thread.
 */
public final class Settings<T extends Record> {
    private final T former;
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    private Settings(T former) {
        this.former = former;
        for (RecordComponent component : former.getClass().getRecordComponents()) {
            values.put(component.getName(), valueOf(component));
        }
    }

    private @Nullable Object valueOf(RecordComponent component) {
        try {
            return component.getAccessor().invoke(former);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(former.getClass() + " is no public record", e);
        }
    }

    /** The defaults of a record that Spring binds. */
    public static <T extends Record> Settings<T> of(Class<T> type) {
        String prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                .value();
        return new Settings<>(new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate(prefix, type));
    }

    /** Those settings, to change some. */
    public static <T extends Record> Settings<T> like(T settings) {
        return new Settings<>(settings);
    }

    /**
     * Replaces one.
     *
     * @param component its name in the record, such as {@code syncInterval}
     * @throws IllegalArgumentException if there is none of that name
     */
    public Settings<T> with(String component, Object value) {
        if (!values.containsKey(component)) {
            throw new IllegalArgumentException(
                    former.getClass().getSimpleName() + " has no " + component + ", but " + values.keySet());
        }
        values.put(component, value);
        return this;
    }

    /**
     * The settings.
     *
     * @throws RuntimeException if a value is out of its range or of another type
     */
    @SuppressWarnings("unchecked") // The constructor is that of the former ones.
    public T get() {
        Class<?>[] types = Arrays.stream(former.getClass().getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return (T) former.getClass()
                    .getDeclaredConstructor(types)
                    .newInstance(values.values().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(former.getClass() + " is no public record", e);
        }
    }
}
