package dev.kvorum.load.run;

import dev.kvorum.load.generate.StretchResult.TimedSlice;

/** Hears what a run is about. */
public interface Progress {
    /** A new part of the run has begun. */
    void phase(String what);

    /** A second of load has passed. */
    void second(TimedSlice slice);
}
