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
    private static final StructLayout ATTRIBUTES = MemoryLayout.structLayout(
            JAVA_INT.withName("size"),
            JAVA_INT.withName("sched_policy"),
            JAVA_LONG.withName("sched_flags"),
            JAVA_INT.withName("sched_nice"),
            JAVA_INT.withName("sched_priority"),
            JAVA_LONG.withName("sched_runtime"),
            JAVA_LONG.withName("sched_deadline"),
            JAVA_LONG.withName("sched_period"));
    private static final VarHandle FLAGS = ATTRIBUTES.varHandle(PathElement.groupElement("sched_flags"));
    private static final VarHandle RUNTIME = ATTRIBUTES.varHandle(PathElement.groupElement("sched_runtime"));
    private static final VarHandle POLICY = ATTRIBUTES.varHandle(PathElement.groupElement("sched_policy"));
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(PathElement.groupElement("errno"));
    private static final long RESET_ON_FORK = 1; // A flag: threads that this one starts have what all have.
    private static final int NORMAL = 0; // The policy in which the runtime is a slice.
    private static final long CALLING_THREAD = 0;
    private static final long NO_FLAGS = 0;
    private static final int SUCCESS = 0;

    private final MethodHandle systemCall;
    private final long getAttributes;
    private final long setAttributes;

    @SuppressWarnings("restricted") // The jar and the image say that it may call the system.
    private SchedulingCalls(long getAttributes, long setAttributes) {
        Linker linker = Linker.nativeLinker();
        this.systemCall = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
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
            return get(arena, attributes) == SUCCESS ? (long) RUNTIME.get(attributes, 0L) : 0;
        }
    }

    /**
     * Gives the calling thread slices of that length. It keeps everything else; threads that it starts have the usual slices, and a nice value of 0 where it has a negative one.
     *
     * @throws UnsupportedOperationException if it can't be, with the reason
     */
    void setSlice(long nanoseconds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES);
            requireSuccess(get(arena, attributes), "the system does not tell how threads are scheduled");
            require(
                    (int) POLICY.get(attributes, 0L) == NORMAL,
                    "they are scheduled by another policy than the normal one");
            require(
                    (long) RUNTIME.get(attributes, 0L) > 0,
                    "this Linux has one for all: those from 6.12 on can shorten them");
            FLAGS.set(attributes, 0L, (long) FLAGS.get(attributes, 0L) | RESET_ON_FORK);
            RUNTIME.set(attributes, 0L, nanoseconds);
            requireSuccess(call(arena, setAttributes, attributes, NO_FLAGS), "the system refuses them others");
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new UnsupportedOperationException(otherwise);
        }
    }

    private static void requireSuccess(int error, String otherwise) {
        require(error == SUCCESS, otherwise + " (errno " + error + ")");
    }

    private int get(Arena arena, MemorySegment attributes) {
        return call(arena, getAttributes, attributes, ATTRIBUTES.byteSize());
    }

    /** 0, or the number of the error. The first call has the size for its third argument and flags for its fourth, the second flags for its third. */
    private int call(Arena arena, long number, MemorySegment attributes, long third) {
        MemorySegment state = arena.allocate(CALL_STATE);
        try {
            long result = (long) systemCall.invokeExact(state, number, CALLING_THREAD, attributes, third, NO_FLAGS);
            return result == SUCCESS ? SUCCESS : (int) ERRNO.get(state, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a method handle threw what none of a system call can", e);
        }
    }
}
