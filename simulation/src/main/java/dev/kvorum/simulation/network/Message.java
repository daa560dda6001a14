package dev.kvorum.simulation.network;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What goes over a link.
 *
 * @param what in a word, the same for all that are alike
 * @param detail tells one from the other
 * @param words for people, on demand
 * @param calledOff whether its sender does not want it sent any more
 * @param arrival what happens when it arrives; it may do so twice, or never
 */
record Message(String what, long detail, Supplier<String> words, BooleanSupplier calledOff, Runnable arrival) {
    /** One that is not called off. */
    static Message of(String what, long detail, Supplier<String> words, Runnable arrival) {
        return new Message(what, detail, words, () -> false, arrival);
    }
}
