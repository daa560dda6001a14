package dev.kvorum.load.generate;

import org.jspecify.annotations.Nullable;

/** The generator itself could not do what it was asked; says why. */
public final class GeneratorFailed extends RuntimeException {
    public GeneratorFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
