package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.replica.PeerOperation.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeerOperationTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "peer-protocol.md");

    @ParameterizedTest
    @EnumSource(PeerOperation.class)
    void everyOperationHasItsRowInTheSpecification(PeerOperation operation) throws IOException {
        String[] words = operation.path().split("/", -1);
        String row = "^\\| " + operation.code() + " (.* )?" + words[words.length - 1] + " \\|";

        assertThat(Pattern.compile(row, Pattern.MULTILINE)
                        .matcher(Files.readString(DOCUMENT))
                        .results())
                .hasSize(1);
    }

    @Test
    void specificationSaysWhichAreReadsAndWhichAreBulk() throws IOException {
        assertThat(Files.readString(DOCUMENT))
                .contains("Operations " + codes(Kind.READ) + " are reads")
                .contains("Operations " + codes(Kind.BULK) + " are bulk");
    }

    private static String codes(Kind kind) {
        return Arrays.stream(PeerOperation.values())
                .filter(operation -> operation.kind() == kind)
                .map(operation -> String.valueOf(operation.code()))
                .collect(Collectors.joining(", "));
    }
}
