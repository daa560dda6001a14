package dev.kvorum.node.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files and sockets this process may have open: {@code ulimit -n}, which the JVM raises to the hard limit when it starts. */
final class ProcessFiles {
    private ProcessFiles() {}

    /** {@link Long#MAX_VALUE} where the system has no such limit. */
    static long max() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
