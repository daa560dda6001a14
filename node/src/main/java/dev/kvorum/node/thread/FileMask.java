package dev.kvorum.node.thread;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which rights the files of this process are made without. Those that RocksDB makes have no other way to be private. */
public final class FileMask {
    private static final Logger LOG = LoggerFactory.getLogger(FileMask.class);
    private static final int GROUP_AND_OTHERS = 077;

    private FileMask() {}

    /** From now on only the owner of this process may read or change the files that it makes. Never throws; nothing changes where a process has no mask. */
    @SuppressWarnings("restricted") // The jar and the image say that it may call the system.
    public static void keepOthersOut() {
        try {
            Linker linker = Linker.nativeLinker();
            var umask = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("umask"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
            int _ = (int) umask.invokeExact(GROUP_AND_OTHERS);
        } catch (Throwable e) {
            LOG.warn("The mode of RocksDB's files can't be narrowed; the mode of their directory keeps others out", e);
        }
    }
}
