package dev.kvorum.load.run;

import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.scenario.LoadPlan;
import java.time.Duration;
import java.util.List;

/** One round of a variant, for those who decide as it goes on what it runs. One thread. */
interface Round {
    LoadPlan load();

    Progress progress();

    /** As fast as the nodes answer: at a rate that leaves them time they would not get warm. */
    void warmUp(Pace.Closed pace) throws InterruptedException;

    /** Of this variant's load. */
    Stretch stretch(String name, Pace pace, Duration length);

    /** Runs it without a look at the nodes. */
    StretchResult unmeasured(Stretch stretch) throws InterruptedException;

    /** With the fault, if the variant has one. */
    Measurement measure(Stretch stretch) throws InterruptedException;

    /** What the round came to. */
    RoundResult result(long start, List<Leg> legs, Measurement measured, List<RoundResult.Try> tries);
}
