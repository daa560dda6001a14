package dev.kvorum.load.figure;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What one run of a variant is measured by. The names are those that a scenario's expectations use. */
public enum Metric {
    P50("p50", "ms"),
    P75("p75", "ms"),
    P90("p90", "ms"),
    P99("p99", "ms"),
    P99_9("p99.9", "ms"),
    P99_99("p99.99", "ms"),
    MAX("max", "ms"),
    MEAN("mean", "ms"),
    /** Requests a second with the wanted answer. */
    THROUGHPUT("throughput", "/s"),
    /** Processor time of all nodes, user and system, per request that ended. */
    CPU("cpu", "us"),
    /** How many requests one second of one processor serves. */
    REQUESTS_PER_CPU_SECOND("requests-per-cpu-second", "/s"),
    /** Requests that failed, were lost, timed out or of which nothing was heard; refusals are not among them. */
    ERRORS("errors", ""),
    REFUSED("refused", ""),
    REFUSED_P99("refused-p99", "ms"),
    /** The longest that a request which was refused had waited for its turn, of all nodes. */
    REFUSAL_WAIT_MAX("refusal-wait-max", "ms"),
    /** The mean of the same, of all nodes. */
    REFUSAL_WAIT_MEAN("refusal-wait-mean", "ms"),
    /** How long those wait for an answer or a refusal in an overload who ask again when they are told to. */
    PATIENT_P99("patient-p99", "ms"),
    /** How often they were refused. */
    PATIENT_REFUSED("patient-refused", ""),
    /** How long they wait for a refusal. */
    PATIENT_REFUSED_P99("patient-refused-p99", "ms"),
    /** Connections that nodes opened to nodes per 1,000 requests. */
    PEER_CONNECTIONS("peer-connections", "/1000"),
    /** Calls to replicas whose answer was not needed any more, per 1,000 requests. */
    CALLED_OFF("called-off", "/1000"),
    /** Reads that were sent to one more replica because another was late, per 1,000 requests. */
    HEDGES("hedges", "/1000"),
    /** The highest rate that the search found good; the requests a second are then those of the last good step. */
    SATURATION("saturation", "/s"),
    /** Requests a second that an overload could really begin, as a share of the peak: what the nodes were up against. */
    BEGUN_SHARE("begun-share", ""),
    /** Wanted answers a second under overload, as a share of the peak. */
    GOODPUT_SHARE("goodput-share", ""),
    /** From the end of the overload until two seconds in a row whose p99 and throughput are normal again, without a refusal or an error. */
    RECOVERY("recovery", "s"),
    /** Bytes that nodes gave each other as members changed, as a share of the least that had to be moved. */
    MOVED("moved", ""),
    /** Of the node that had most. */
    RSS_MAX("rss-max", "MiB"),
    /** Resident memory less the Java heap that was taken from the system. */
    NATIVE_MAX("native-max", "MiB"),
    /** Memtables and block cache of RocksDB, which are a part of the native memory, as nodes tell. */
    ROCKSDB_MAX("rocksdb-max", "MiB"),
    THREADS_MAX("threads-max", ""),
    /** The most resident memory from an overload on, over the normal load's, in percent. */
    RSS_SURGE("rss-surge", "%"),
    /** The same of threads. */
    THREADS_SURGE("threads-surge", "%"),
    /** Growth of what the nodes hold, from the second fifth of the run to its last, in percent. */
    RSS_GROWTH("rss-growth", "%"),
    NATIVE_GROWTH("native-growth", "%"),
    /** Of what is alive on the heap, from before a soak until after it. */
    HEAP_GROWTH("heap-growth", "%"),
    THREADS_GROWTH("threads-growth", "%"),
    DESCRIPTORS_GROWTH("descriptors-growth", "%"),
    GC_PAUSES("gc-pauses", "ms/s"),
    /** Processor time of the generator's process per request. */
    GENERATOR_CPU("generator-cpu", "us"),
    /** How late requests were begun. */
    LAG_P99("lag-p99", "ms"),
    /** Processor time of the machine that nothing wanted, in percent of all. */
    RESTED("rested", "%"),
    /** Processor time of the machine that was wanted and that the hypervisor gave to others, in percent of all. */
    STOLEN("stolen", "%");

    /** Those that are told of each operation and size of a variant, too. */
    public static final Set<Metric> LATENCIES = Collections.unmodifiableSet(EnumSet.range(P50, MEAN));

    private final String label;
    private final String unit;

    Metric(String label, String unit) {
        this.label = label;
        this.unit = unit;
    }

    public String label() {
        return label;
    }

    /** Empty for a plain number. */
    public String unit() {
        return unit;
    }

    public static Optional<Metric> named(String label) {
        return Arrays.stream(values())
                .filter(metric -> metric.label.equals(label))
                .findFirst();
    }
}
