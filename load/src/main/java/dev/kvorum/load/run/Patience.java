package dev.kvorum.load.run;

import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.PatientClients.Reply;
import dev.kvorum.load.generate.StretchResult.Part;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * How those fare in an overload who wait as they are told.
 *
 * @param p99Millis how long they waited for what they were told, answers and refusals; empty if they were told nothing
 * @param refused how many of them were refusals
 * @param refusedP99Millis how long they waited for those; empty if there was none
 * @param errors how many of them were neither what was wanted nor refusals, or did not come
 */
record Patience(Optional<Double> p99Millis, double refused, Optional<Double> refusedP99Millis, double errors) {
    private static final int DIGITS = 3;

    /** Of what they were told in that time. */
    static Patience in(Part overload, List<Reply> replies) {
        Histogram all = new Histogram(DIGITS);
        Histogram refusals = new Histogram(DIGITS);
        int errors = 0;
        for (Reply reply : replies) {
            if (reply.endedMillis() >= overload.fromMillis() && reply.endedMillis() < overload.untilMillis()) {
                switch (reply.outcome()) {
                    case DONE -> all.recordValue(reply.micros());
                    case REFUSED -> {
                        all.recordValue(reply.micros());
                        refusals.recordValue(reply.micros());
                    }
                    case FAILED, LOST, TIMED_OUT -> errors++;
                }
            }
        }
        return new Patience(p99(all), refusals.getTotalCount(), p99(refusals), errors);
    }

    private static Optional<Double> p99(Histogram micros) {
        return micros.getTotalCount() > 0 ? Optional.of(Percentiles.millis(micros, 99)) : Optional.empty();
    }
}
