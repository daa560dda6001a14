package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.ChangePage;
import dev.kvorum.node.storage.ChangePage.Changed;
import dev.kvorum.node.storage.ChangesGoneException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.simulation.disk.SimulatedDisk.Batch;
import dev.kvorum.simulation.world.ProcessLife;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The last batches of a simulated disk. Each is one change. */
final class SimulatedChangeLog implements ChangeLog {
    private static final int BATCHES_MAX = 64; // Of a page.

    private final ProcessLife life;
    private final SimulatedDisk disk;

    SimulatedChangeLog(ProcessLife life, SimulatedDisk disk) {
        this.life = life;
        this.disk = disk;
    }

    @Override
    public long last() {
        return disk.end();
    }

    @Override
    public Mono<ChangePage> after(long after, long upTo, ChangeFilter filter, int bytes) {
        return Mono.create(sink -> {
            var _ = life.after(disk.readNanos(), () -> {
                ChangePage page;
                try {
                    page = page(after, upTo, filter);
                } catch (ChangesGoneException | MalformedCellException e) {
                    sink.error(e);
                    return;
                }
                sink.success(page);
            });
        });
    }

    private ChangePage page(long after, long upTo, ChangeFilter filter) {
        List<Changed> cells = new ArrayList<>();
        int batches = disk.someOf(BATCHES_MAX);
        long end = after;
        for (Batch batch : disk.log()) {
            if (batch.number() > end && end < upTo && batches > 0) {
                if (batch.number() > end + 1) {
                    throw new ChangesGoneException("the log goes on with change " + batch.number());
                }
                batch.changes().forEach(change -> offer(change, filter, cells));
                end = batch.number();
                batches--;
            }
        }
        if (end == after && after < upTo) {
            throw new ChangesGoneException("the log ends behind change " + end);
        }
        return new ChangePage(cells, end);
    }

    private static void offer(Change change, ChangeFilter filter, List<Changed> cells) {
        byte @Nullable [] value = change.value();
        if (value == null || !change.family().equals(SimulatedStore.CELLS)) {
            return;
        }
        int partition = StorageKey.partitionOf(change.key());
        Key key = StorageKey.keyOf(change.key());
        Cell cell = Cell.decode(value);
        if (filter.wants(partition, cell)) {
            cells.add(new Changed(partition, key, cell.requireIntact(key)));
        }
    }
}
