package dev.kvorum.node.boot;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.repair.RepairStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Repair on the management port: what it is doing, and doing it now. */
@Endpoint(id = "repair")
final class RepairEndpoint {
    private final Repair repair;
    private final Membership membership;

    RepairEndpoint(Repair repair, Membership membership) {
        this.repair = repair;
        this.membership = membership;
    }

    @ReadOperation
    RepairStatus status() {
        return repair.status();
    }

    /** @param partition null for all that this node owns */
    @WriteOperation
    Map<String, Integer> begin(@Nullable Integer partition) {
        if (partition == null) {
            return Map.of("partitions", repair.repairAll());
        }
        int partitions = membership.view().topology().partitions();
        if (partition < 0 || partition >= partitions) {
            throw new InvalidEndpointRequestException(
                    "partition is " + partition + ", but must be from 0 to " + (partitions - 1), "no such partition");
        }
        var _ = repair.repair(partition);
        return Map.of("partitions", 1);
    }
}
