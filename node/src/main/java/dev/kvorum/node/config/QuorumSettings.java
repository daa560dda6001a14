package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a request asks for that does not say so itself.
 *
 * @param readAck how many replicas answer a read, 0 to 255; 0 takes a majority of those asked.
 * @param writeAck how many replicas answer a write, 0 to 255; 0 takes a majority of those asked.
 * @param deadline how long a request may take in all, 10ms to 10m.
 */
@ConfigurationProperties("kvorum.quorum")
public record QuorumSettings(
        @DefaultValue("0") int readAck,
        @DefaultValue("0") int writeAck,
        @DefaultValue("5s") Duration deadline) {
    public QuorumSettings {
        Require.range("kvorum.quorum.read-ack", readAck, 0, 255);
        Require.range("kvorum.quorum.write-ack", writeAck, 0, 255);
        Require.range("kvorum.quorum.deadline", deadline, Duration.ofMillis(10), Duration.ofMinutes(10));
    }
}
