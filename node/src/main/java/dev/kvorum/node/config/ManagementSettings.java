package dev.kvorum.node.config;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The limits of the management port. Times are those of the client port: kvorum.http.header-timeout, body-timeout, idle-timeout and send-timeout.
 *
 * @param connectionsMax connections to the management port at a time, 0 or 16 to 10000; 0 takes an eighth of the files that the process may open beside RocksDB's, 16 to
 *     128. Clients and members cannot take them.
 * @param bodyMax longest body of a request to the management port, 1B to 1MB. A longer one is refused with 413.
 */
@ConfigurationProperties("kvorum.management")
public record ManagementSettings(
        @DefaultValue("0") int connectionsMax,
        @DefaultValue("512KB") DataSize bodyMax) {
    public ManagementSettings {
        Require.zeroOrRange("kvorum.management.connections-max", connectionsMax, 16, 10_000);
        Require.range("kvorum.management.body-max", bodyMax, DataSize.ofBytes(1), DataSize.ofMegabytes(1));
    }
}
