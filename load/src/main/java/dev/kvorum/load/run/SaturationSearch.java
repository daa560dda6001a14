package dev.kvorum.load.run;

import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.run.RoundResult.Try;
import dev.kvorum.load.scenario.Aim;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the highest rate with a p99 below a bound and without an error: bisection with short steps, then the full length at the rate
 * that was found, a little lower if that fails. A step that fails is tried once more before it is believed: in one so short, a single pause of the
 * machine is more than a request in a hundred. The nodes warm up on all connections.
 */
final class SaturationSearch {
    private static final double PRECISION = 0.04;
    private static final double BACK_OFF = 0.94;
    private static final int CONFIRMATIONS_MAX = 5;
    private static final int TRIES_MAX = 2; // Of one rate.

    private final Aim.Search search;
    private final Round round;
    private final List<Try> tries = new ArrayList<>();

    SaturationSearch(Aim.Search search, Round round) {
        this.search = search;
        this.round = round;
    }

    RoundResult run(long start) throws InterruptedException {
        round.warmUp(new Pace.Closed(round.load().senders().connections()));
        double good = search.low();
        double bad = search.high();
        while (bad / good > 1 + PRECISION) {
            double rate = Math.sqrt(good * bad);
            if (isGood(rate)) {
                good = rate;
            } else {
                bad = rate;
            }
        }
        return confirm(start, good);
    }

    private boolean isGood(double rate) throws InterruptedException {
        boolean good = false;
        for (int attempt = 1; !good && attempt <= TRIES_MAX; attempt++) {
            round.progress().phase(String.format(Locale.ROOT, "tries %.0f/s", rate));
            good = note(rate, round.unmeasured(round.stretch("try", pace(rate), search.step())));
        }
        return good;
    }

    private RoundResult confirm(long start, double found) throws InterruptedException {
        double rate = found;
        for (int attempt = 1; ; attempt++) {
            round.progress().phase(String.format(Locale.ROOT, "confirms %.0f/s", rate));
            Measurement measured = round.measure(round.stretch(
                    "confirmed", pace(rate), round.load().lengths().measured()));
            boolean good = note(rate, measured.result());
            if (good || attempt == CONFIRMATIONS_MAX) {
                RoundResult result =
                        round.result(start, List.of(new Leg("confirmed", measured.result())), measured, tries);
                return result.with(Metric.SATURATION, good ? rate : 0);
            }
            rate *= BACK_OFF;
        }
    }

    private boolean note(double rate, StretchResult result) {
        Slice total = result.total();
        Slice settled = result.settled().slice();
        double p99 = settled.count(Outcome.DONE) == 0 ? Double.MAX_VALUE : Percentiles.millis(settled.allDone(), 99);
        long errors = total.errors() + total.count(Outcome.REFUSED) + result.unaccounted();
        boolean good =
                p99 < search.p99Millis() && errors == 0 && result.problems().isEmpty();
        tries.add(new Try(rate, good, p99, errors));
        return good;
    }

    private Pace pace(double rate) {
        return new Pace.Open(rate, round.load().senders().inFlight());
    }
}
