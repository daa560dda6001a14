package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class LatencyPictureTest {
    private final ObjectNode summary = SummaryJson.MAPPER.createObjectNode().put("title", "Slow & slower");
    private final ArrayNode variants = summary.putArray("variants");

    private void variant(String name, double... millis) {
        ArrayNode curve = variants.addObject().put("name", name).putArray("curve");
        double rarity = 1;
        for (double one : millis) {
            curve.addArray().add(rarity).add(one);
            rarity *= 10;
        }
    }

    private Document draw() throws Exception {
        byte[] svg = LatencyPicture.of(summary).getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg));
    }

    private static List<String> texts(Document svg) {
        NodeList nodes = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    private static List<Double> ordinates(Document svg, int curve) {
        String path = svg.getElementsByTagName("path")
                .item(curve)
                .getAttributes()
                .getNamedItem("d")
                .getTextContent();
        List<Double> ordinates = new ArrayList<>();
        for (String point : path.substring(1).split("L", -1)) {
            ordinates.add(Double.parseDouble(point.split(" ", -1)[1]));
        }
        return ordinates;
    }

    @Test
    void everyVariantHasItsCurveAndItsName() throws Exception {
        variant("get-<1>", 0.2, 1, 5);
        variant("put", 0.5, 2, 40);

        Document svg = draw();

        assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(2);
        assertThat(texts(svg))
                .contains("Slow & slower, ms", "get-<1>", "put", "0 %", "90 %", "99 %")
                .doesNotContain("99.9 %");
    }

    @Test
    void longerIsHigherAndTenTimesAsLongIsAsMuchHigherEverywhere() throws Exception {
        variant("get", 0.1, 1, 10, 100);

        List<Double> down = ordinates(draw(), 0);

        assertThat(down.get(0) - down.get(1)).isPositive();
        assertThat(down.get(1) - down.get(2)).isCloseTo(down.get(0) - down.get(1), within(0.2));
        assertThat(down.get(2) - down.get(3)).isCloseTo(down.get(0) - down.get(1), within(0.2));
    }

    @Test
    void runWithoutAnswersHasAnEmptyPicture() throws Exception {
        variant("get");

        assertThat(draw().getElementsByTagName("path").getLength()).isZero();
    }
}
