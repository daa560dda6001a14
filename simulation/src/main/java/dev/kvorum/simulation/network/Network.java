package dev.kvorum.simulation.network;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The ways between all machines and clients. They are reached by name, as the host of an address. */
public final class Network {
    private final Weather weather;
    private final Timeline timeline;
    private final Chance chance;
    private final Trace trace;
    private final Map<String, Map<String, Link>> links = new HashMap<>();
    private final Map<String, Station> stations = new HashMap<>();
    private final Map<String, String> misled = new HashMap<>();

    public Network(Weather weather, Timeline timeline, Chance chance, Trace trace) {
        this.weather = weather;
        this.timeline = timeline;
        this.chance = chance;
        this.trace = trace;
    }

    /** From now on that is found under that name. */
    public void connect(String name, Station station) {
        stations.put(name, station);
    }

    /** From now on the address of the one leads to the other. */
    public void mislead(String one, String other) {
        misled.put(one, other);
    }

    /** The address leads where it should. */
    public void correct(String one) {
        misled.remove(one);
    }

    /** Whether that address leads to somebody else. */
    public boolean isMisled(String name) {
        return misled.containsKey(name);
    }

    /** What its address leads to; null where there never was anything. */
    @Nullable
    Station behind(String name) {
        return at(misled.getOrDefault(name, name));
    }

    /** What is found there; null where there never was anything. */
    @Nullable
    Station at(String name) {
        return stations.get(name);
    }

    /** The way from one to the other. */
    public Link link(String from, String to) {
        return Objects.requireNonNull(links.computeIfAbsent(from, name -> new HashMap<>())
                .computeIfAbsent(to, name -> new Link(from, to, weather, timeline, chance, trace)));
    }

    /** Whether what either sends to the other arrives as a rule. */
    public boolean isOpen(String one, String other) {
        return link(one, other).isOpen() && link(other, one).isOpen();
    }

    void send(String from, String to, Message message) {
        link(from, to).send(message);
    }

    /**
     * Sends something that is not called off.
     *
     * @param arrival what happens when it arrives; may be never, or twice
     */
    public void send(String from, String to, String what, long detail, Supplier<String> words, Runnable arrival) {
        send(from, to, Message.of(what, detail, words, arrival));
    }
}
