package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One frame with a body of so many bytes: written to a buffer that stays, and read from it. Both take its checksum. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameBenchmark {
    @Param({"0", "130", "65536"})
    int bytes;

    private byte[] body = {};
    private final ByteBuf out = Unpooled.directBuffer(Frame.LENGTH_BYTES + Frame.REST_MAX);
    private final ByteBuf in = Unpooled.directBuffer(Frame.LENGTH_BYTES + Frame.REST_MAX);

    @Setup
    public void fill() {
        body = new byte[bytes];
        Frame.write(in, FrameType.REPLY, 0, 77, 200, body, 0, bytes);
    }

    @Benchmark
    public ByteBuf write() {
        out.clear();
        Frame.write(out, FrameType.CALL, 1, 77, 2_000, body, 0, bytes);
        return out;
    }

    @Benchmark
    public Frame read() {
        in.readerIndex(0);
        return Frame.read(in, in.readInt());
    }
}
