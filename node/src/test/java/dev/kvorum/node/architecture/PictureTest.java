package dev.kvorum.node.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The picture of {@code docs/internals/architecture.md} and the table of {@link ArchitectureTest} say the same, and nothing in them goes round in a circle. */
class PictureTest {
    private static final Path PAGE = Path.of("../docs/internals/architecture.md");
    private static final Pattern ROOM = Pattern.compile("(\\w+)\\[\"([^<\"]+)[^\\]]*\\]");
    private static final Set<String> LEFT_OUT = Set.of("config", "deadline", "thread");

    /** The rooms that an arrow of the picture goes to, by room. */
    private static final Map<String, Set<String>> ARROWS = new HashMap<>();

    @BeforeAll
    static void readThePicture() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("flowchart");
        String picture = page.substring(begin, page.indexOf("```", begin));
        Map<String, String> rooms = new HashMap<>();
        Matcher named = ROOM.matcher(picture);
        while (named.find()) {
            rooms.put(named.group(1), room(named.group(2)));
        }
        for (String line : ROOM.matcher(picture).replaceAll("$1").lines().toList()) {
            String[] ends = line.strip().split(" --> ", 2);
            for (String to : ends.length < 2 ? new String[0] : ends[1].split(" & ", -1)) {
                ARROWS.computeIfAbsent(rooms.getOrDefault(ends[0], ends[0]), name -> new TreeSet<>())
                        .add(rooms.getOrDefault(to, to));
            }
        }
    }

    private static String room(String label) {
        return switch (label) {
            case "module control" -> "contract";
            case "module topology" -> "topology";
            default -> label.replaceAll(":.*", "");
        };
    }

    @Test
    void everyArrowIsInTheTable() {
        assertThat(ARROWS.keySet())
                .contains("coordinator", "http.client", "boot", "copy")
                .doesNotContain("");
        ARROWS.forEach((room, arrows) -> {
            if (!room.equals("boot")) { // It may use all.
                assertThat(ArchitectureTest.MAY_USE.get(room))
                        .as(room)
                        .isNotNull()
                        .containsAll(arrows);
            }
        });
    }

    @Test
    void whatTheTableAllowsLiesAlongTheArrows() {
        ArchitectureTest.MAY_USE.forEach((room, allowed) -> {
            if (!LEFT_OUT.contains(room)) {
                Set<String> drawn = new TreeSet<>(allowed);
                drawn.removeAll(LEFT_OUT);
                assertThat(behind(room, ARROWS)).as(room).containsAll(drawn);
            }
        });
    }

    @Test
    void noArrowLeadsBackUp() {
        ArchitectureTest.MAY_USE
                .keySet()
                .forEach(room -> assertThat(behind(room, ArchitectureTest.MAY_USE))
                        .as(room)
                        .doesNotContain(room));
        ARROWS.keySet()
                .forEach(room -> assertThat(behind(room, ARROWS)).as(room).doesNotContain(room));
    }

    /** All that the arrows lead to. */
    private static Set<String> behind(String room, Map<String, Set<String>> arrows) {
        Set<String> behind = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(arrows.getOrDefault(room, Set.of()));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (behind.add(one)) {
                next.addAll(arrows.getOrDefault(one, Set.of()));
            }
        }
        return behind;
    }
}
