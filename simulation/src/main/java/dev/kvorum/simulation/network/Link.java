package dev.kvorum.simulation.network;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.util.ArrayList;
import java.util.List;

/** The way from one to another; the way back is another one. */
public final class Link {
    private final String name;
    private final Weather weather;
    private final Timeline timeline;
    private final Chance chance;
    private final Trace trace;
    private final List<LinkFault> faults = new ArrayList<>(2);
    private final List<Message> clogged = new ArrayList<>(0);
    private LinkFault sum = LinkFault.all(faults);
    private long latestArrival;

    Link(String from, String to, Weather weather, Timeline timeline, Chance chance, Trace trace) {
        this.name = from + ">" + to;
        this.weather = weather;
        this.timeline = timeline;
        this.chance = chance;
        this.trace = trace;
    }

    /** From now on that is wrong with it, too. */
    public void begin(LinkFault fault) {
        faults.add(fault);
        sum = LinkFault.all(faults);
    }

    /** What was begun ends. What was clogged is let go in any order. */
    public void end(LinkFault fault) {
        faults.remove(fault);
        sum = LinkFault.all(faults);
        if (!sum.clogs() && !clogged.isEmpty()) {
            List<Message> released = chance.shuffled(clogged);
            clogged.clear();
            released.forEach(this::release);
        }
    }

    /** Of one that was called off meanwhile, some lie before the socket and some behind it. */
    private void release(Message message) {
        if (message.calledOff().getAsBoolean() && chance.is(0.5)) {
            trace.note(name, "unsent", message.detail(), () -> describe(message));
        } else {
            send(message);
        }
    }

    boolean isOpen() {
        return !sum.cuts() && !sum.clogs();
    }

    boolean isFull() {
        return sum.full();
    }

    void send(Message message) {
        if (sum.clogs()) {
            clogged.add(message);
            trace.note(name, "clogged", message.detail(), () -> describe(message));
        } else if (sum.cuts() || chance.is(sum.loss())) {
            trace.note(name, "lost", message.detail(), () -> describe(message));
        } else {
            deliver(message);
            if (chance.is(sum.duplication())) {
                trace.note(name, "doubled", message.detail(), () -> describe(message));
                deliver(message);
            }
        }
    }

    private void deliver(Message message) {
        long delay = weather.latency(chance) + (sum.delayMax() > 0 ? chance.from(0, sum.delayMax()) : 0);
        long arrival = timeline.now() + delay;
        if (weather.ordered()) {
            arrival = Math.max(arrival, latestArrival + 1);
            latestArrival = arrival;
        }
        var _ = timeline.after(arrival - timeline.now(), () -> {
            trace.note(name, message.what(), message.detail(), message.words());
            message.arrival().run();
        });
    }

    private static String describe(Message message) {
        return message.what() + " " + message.words().get();
    }
}
