package dev.kvorum.load.run;

import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.MachineTime;
import dev.kvorum.load.measure.NodeSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One stretch of load with what the nodes did meanwhile.
 *
 * @param settled         the requests that count: from the second second on, or from one second after the fault on until it was over
 * @param serverMicros    processor time of all nodes during the settled part
 * @param ended           requests of this stretch and of those that were measured with it
 * @param samples         of the nodes, during all of those
 * @param machine         what its processors did during all of those
 * @param alive           on the heaps of the nodes; nothing unless all of those are a soak
 * @param befallen        the fault, if there was one
 */
record Measurement(
        StretchResult result,
        Part settled,
        double serverMicros,
        long ended,
        List<NodeSample> samples,
        MachineTime machine,
        Alive alive,
        Optional<Befallen> befallen) {
    /**
     * Bytes alive on the heap of each node, by its id.
     *
     * @param before all that was measured
     * @param after all of that
     */
    record Alive(Map<String, Long> before, Map<String, Long> after) {
        static final Alive UNKNOWN = new Alive(Map.of(), Map.of());
    }
}
