package dev.kvorum.load.run;

import dev.kvorum.load.generate.StretchResult.TimedSlice;

/** Says of which round of which variant a phase is. */
record RoundProgress(Progress progress, String variant, int round, int rounds) implements Progress {
    @Override
    public void phase(String what) {
        progress.phase(variant + (rounds > 1 ? " " + round + "/" + rounds : "") + " " + what);
    }

    @Override
    public void second(TimedSlice slice) {
        progress.second(slice);
    }
}
