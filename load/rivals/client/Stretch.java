/** What a stretch of a closed loop has seen. CPU is microseconds per request; others is the part of all processors that other processes had. */
record Stretch(
        double rate, double p50Millis, double p99Millis, double serversCpu, double clientCpu, double othersShare) {}
