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
 * @param liveBefore      bytes alive on the heap of each node before all of those, by its id; empty unless they are a soak
 * @param liveAfter       after them, likewise
 * @param befallen        the fault, if there was one
 */
record Measurement(
        StretchResult result,
        Part settled,
        double serverMicros,
        long ended,
        List<NodeSample> samples,
        MachineTime machine,
        Map<String, Long> liveBefore,
        Map<String, Long> liveAfter,
        Optional<Befallen> befallen) {}
