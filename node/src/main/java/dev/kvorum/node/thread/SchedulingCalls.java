package dev.kvorum.node.thread;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * {@code sched_getattr} and {@code sched_setattr} of Linux, for the calling thread. The C library has no functions for them before glibc
 * 2.41, so that they are called by their numbers.
 */
final class SchedulingCalls {
    private static final String POLICY = "sched_policy";
    private static final StructLayout ATTRIBUTES = MemoryLayout.structLayout(
            JAVA_INT.withName("size"),
            JAVA_INT.withName(POLICY),
            JAVA_LONG.withName("sched_flags"),
            JAVA_INT.withName("sched_nice"),
            JAVA_INT.withName("sched_priority"),
            JAVA_LONG.withName("sched_runtime"),
            JAVA_LONG.withName("sched_deadline"),
            JAVA_LONG.withName("sched_period"));
    private static final VarHandle FLAGS = ATTRIBUTES.varHandle(PathElement.groupElement("sched_flags"));
    private static final VarHandle RUNTIME = ATTRIBUTES.varHandle(PathElement.groupElement("sched_runtime"));
    private static final VarHandle SCHEDULING = ATTRIBUTES.varHandle(PathElement.groupElement(POLICY));
    private static final long RESET_ON_FORK = 1; // A flag: threads that this one starts have what all have.
    private static final int NORMAL = 0; // The policy in which the runtime is a slice.
    private static final long CALLING_THREAD = 0;

    private final MethodHandle systemCall;
    private final long getAttributes;
    private final long setAttributes;

    @SuppressWarnings("restricted") // The jar and the image say that it may call the system.
    private SchedulingCalls(long getAttributes, long setAttributes) {
        Linker linker = Linker.nativeLinker();
        this.systemCall = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        this.getAttributes = getAttributes;
        this.setAttributes = setAttributes;
    }

    /**
     * @throws UnsupportedOperationException for another system, with its name
     * @throws IllegalCallerException if the JVM was told to let nobody call the system ({@code --illegal-native-access=deny})
     */
    static SchedulingCalls of(String system, String processor) {
        if (!system.equals("Linux")) {
            throw new UnsupportedOperationException("this is " + system + ", and not Linux");
        }
        return switch (processor) {
            case "amd64" -> new SchedulingCalls(315, 314);
            case "aarch64" -> new SchedulingCalls(275, 274);
            default ->
                throw new UnsupportedOperationException(
                        "the numbers of system calls on " + processor + " are not known");
        };
    }

    /** In nanoseconds; 0 if the system does not tell. */
    long slice() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES);
            return get(attributes) ? (long) RUNTIME.get(attributes, 0L) : 0;
        }
    }

    /** Whether the system has taken it. It keeps everything else, as the nice value. */
    boolean setSlice(long nanoseconds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES);
            if (!get(attributes) || (int) SCHEDULING.get(attributes, 0L) != NORMAL) {
                return false;
            }
            FLAGS.set(attributes, 0L, (long) FLAGS.get(attributes, 0L) | RESET_ON_FORK);
            RUNTIME.set(attributes, 0L, nanoseconds);
            // Those of before 6.12 answer well, and change nothing: so look.
            return call(setAttributes, attributes, 0)
                    && get(attributes)
                    && (long) RUNTIME.get(attributes, 0L) == nanoseconds;
        }
    }

    private boolean get(MemorySegment attributes) {
        return call(getAttributes, attributes, ATTRIBUTES.byteSize());
    }

    private boolean call(long number, MemorySegment attributes, long size) {
        try {
            return (long) systemCall.invokeExact(number, CALLING_THREAD, attributes, size, 0L) == 0;
        } catch (Throwable e) { // A method handle says that it may throw anything; this one doesn't.
            throw new IllegalStateException(e);
        }
    }
}
