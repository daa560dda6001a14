package dev.kvorum.history;

import java.util.List;

/**
 * What clients saw of a cluster, in any order, and what is known of its disks.
 *
 * @param losses none where nothing was lost
 * @param copies none where nobody looked
 */
public record History(List<Operation> operations, List<DiskLoss> losses, List<Copy> copies) {
    public History {
        operations = List.copyOf(operations);
        losses = List.copyOf(losses);
        copies = List.copyOf(copies);
    }

    public static History of(Operation... operations) {
        return new History(List.of(operations), List.of(), List.of());
    }
}
