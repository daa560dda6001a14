package dev.kvorum.load.run;

import dev.kvorum.load.generate.StretchResult;

/** A named stretch of a round, in the order in which they were run: most rounds have one, an overload has four. */
public record Leg(String name, StretchResult result) {}
