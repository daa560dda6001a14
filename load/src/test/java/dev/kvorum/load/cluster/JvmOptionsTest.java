package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmOptionsTest {
    @Test
    void ownOptionsStandBehindThoseOfEveryNode() {
        List<String> options = JvmOptions.with(List.of("-Xmx128m"));

        assertThat(options)
                .contains("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")
                .endsWith("-Xmx128m");
        assertThat(options).noneMatch(option -> option.startsWith("#"));
    }

    /** A JVM that is given two does not start. */
    @Test
    void ownCollectorReplacesThatOfEveryNode() {
        assertThat(JvmOptions.with(List.of("-XX:+UseZGC")))
                .contains("-XX:+UseZGC", "-XX:+ExitOnOutOfMemoryError")
                .doesNotContain("-XX:+UseSerialGC");
    }
}
