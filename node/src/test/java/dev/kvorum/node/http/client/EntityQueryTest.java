package dev.kvorum.node.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityQueryTest {
    private static Problem problemOf(@Nullable String query) {
        return catchThrowableOfType(RefusedRequestException.class, () -> EntityQuery.parse(query))
                .problem();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=cart-7&ack=2&from=3",
                "from=3&ack=2&id=cart-7",
                "ack=2&id=cart-7&from=3",
                "id=%63art%2d7&ack=0002&from=3"
            })
    void parametersMayComeInAnyOrder(String query) {
        assertThat(EntityQuery.parse(query)).isEqualTo(new EntityQuery(Key.of("cart-7"), 2, 3, null));
    }

    @Test
    void whatIsNotSaidIsUnsaid() {
        assertThat(EntityQuery.parse("id=a"))
                .isEqualTo(new EntityQuery(Key.of("a"), QuorumPolicy.UNSAID, QuorumPolicy.UNSAID, null));
        assertThat(EntityQuery.parse("id=a&from=9999"))
                .isEqualTo(new EntityQuery(Key.of("a"), QuorumPolicy.UNSAID, 9999, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            id=a+b                   | `a b`
            id=a%2Bb                 | a+b
            id=a%26b%3Dc             | a&b=c
            id=a=b                   | a=b
            id=%d0%ba%D0%BB          | кл
            id=%F0%9F%94%91          | 🔑
            id=a?b/c                 | a?b/c
            id=%25                   | %
            """)
    void keyIsDecodedAsInWebForms(String query, String key) {
        assertThat(EntityQuery.parse(query).key()).isEqualTo(Key.of(key));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyKeySurvivesTheEncodingOfWebForms(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            String key = random.ints(1 + random.nextInt(20), 0, 0x3000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();

            EntityQuery query = EntityQuery.parse("id=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "&ack=1");

            assertThat(query.key()).isEqualTo(Key.of(key));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``              | invalid-id        | id is missing: ask for /v0/entity?id=KEY
            ack=1           | invalid-id        | id is missing: ask for /v0/entity?id=KEY
            id=             | invalid-id        | id can't be used: the key is empty
            id=%FF          | invalid-id        | id can't be used: the key is not UTF-8
            id              | invalid-parameter | parameter "id" has no value; the parameters are id, ack, from and consistency
            id&ack=1        | invalid-parameter | parameter "id" has no value; the parameters are id, ack, from and consistency
            id=a&id=a       | invalid-parameter | parameter "id" is given twice
            id=a&ack=1&ack=1 | invalid-parameter | parameter "ack" is given twice
            from=1&from=2&id=a | invalid-parameter | parameter "from" is given twice
            id=a&akc=1      | invalid-parameter | parameter "akc" is not known; the parameters are id, ack, from and consistency
            ID=a            | invalid-parameter | parameter "ID" is not known; the parameters are id, ack, from and consistency
            id=a&ack=0      | invalid-parameter | ack is "0", but must be a whole number from 1 to the number of members
            id=a&ack=       | invalid-parameter | ack is "", but must be a whole number from 1 to the number of members
            id=a&ack=+1     | invalid-parameter | ack is "+1", but must be a whole number from 1 to the number of members
            id=a&ack=-1     | invalid-parameter | ack is "-1", but must be a whole number from 1 to the number of members
            id=a&from=1e3   | invalid-parameter | from is "1e3", but must be a whole number from 1 to the number of members
            id=a&from=10000 | invalid-parameter | from is "10000", but must be a whole number from 1 to the number of members
            id=a&from=٣     | invalid-parameter | from is "٣", but must be a whole number from 1 to the number of members
            """)
    void queryThatIsNotForAnEntityIsRefusedWithTheReason(String query, String name, String detail) {
        Problem problem = problemOf(query);

        assertThat(problem.name()).isEqualTo(name);
        assertThat(problem.detail()).isEqualTo(detail);
        assertThat(problem.status().value()).isEqualTo(400);
    }

    @Test
    void targetWithoutAQueryLacksTheId() {
        assertThat(problemOf(null).name()).isEqualTo("invalid-id");
    }

    @Test
    void longestKeyIsCountedAfterDecoding() {
        assertThat(EntityQuery.parse("id=" + "%61".repeat(1024)).key()).isEqualTo(Key.of("a".repeat(1024)));
        assertThat(problemOf("id=" + "a".repeat(1025)).detail())
                .isEqualTo("id can't be used: the key is 1025 bytes long, the longest is 1024");
    }
}
