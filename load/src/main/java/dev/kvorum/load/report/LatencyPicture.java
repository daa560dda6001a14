package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Latency by percentile of all variants of a run as one SVG, for documents: the page's curves without a script. Both axes are logarithmic, and each step
 * to the right is ten times rarer.
 */
final class LatencyPicture {
    private static final int WIDTH = 860;
    private static final int LEFT = 62;
    private static final int RIGHT = 16;
    private static final int TOP = 44;
    private static final int CHART_HEIGHT = 340;
    private static final int BELOW_CHART = 46;
    private static final int LEGEND_ROW = 18;
    private static final int LEGEND_COLUMNS = 3;
    // Those of the page.
    private static final List<String> COLORS = List.of(
            "#2563eb", "#e4572e", "#12936a", "#9333c4", "#c98a06", "#0e8fa8", "#d62f78", "#5b6b7f", "#7a9a01",
            "#4f46b8", "#a2522b", "#4aa3df");
    private static final List<String> QUANTILES =
            List.of("0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %");
    private static final double[] STEPS = {1, 2, 5};
    private static final String GRID = "stroke=\"#e2e8f0\"";
    private static final double MILLIS_MIN = 0.01;

    /** A variant's points: one by the share of requests that take longer, and milliseconds. */
    private record Curve(String name, List<double[]> points) {}

    private final String title;
    private final List<Curve> curves;
    private final double rarest;
    private final double low;
    private final double high;
    private final StringBuilder svg = new StringBuilder();

    private LatencyPicture(String title, List<Curve> curves) {
        this.title = title;
        this.curves = curves;
        this.rarest = Math.max(10, most(0));
        double least = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> point[1])
                .min()
                .orElse(1);
        this.low = Math.pow(10, Math.floor(Math.log10(Math.max(least, MILLIS_MIN))));
        this.high = Math.max(10 * low, most(1));
    }

    private double most(int axis) {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> point[axis])
                .max()
                .orElse(1);
    }

    /** @param summary as {@link SummaryJson} makes it */
    static String of(JsonNode summary) {
        List<Curve> curves = new ArrayList<>();
        for (JsonNode variant : summary.path("variants")) {
            List<double[]> points = new ArrayList<>();
            variant.path("curve")
                    .forEach(point -> points.add(new double[] {
                        point.path(0).asDouble(),
                        Math.max(MILLIS_MIN, point.path(1).asDouble())
                    }));
            if (!points.isEmpty()) {
                curves.add(new Curve(variant.path("name").asText(), points));
            }
        }
        return new LatencyPicture(summary.path("title").asText(), curves).draw();
    }

    private double x(double rarity) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(rarity) / Math.log(rarest);
    }

    private double y(double millis) {
        return TOP + CHART_HEIGHT * (1 - Math.log(millis / low) / Math.log(high / low));
    }

    private String draw() {
        int legendRows = (curves.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int height = TOP + CHART_HEIGHT + BELOW_CHART + legendRows * LEGEND_ROW;
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + height
                + "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#334155\">");
        add("<rect width=\"" + WIDTH + "\" height=\"" + height + "\" fill=\"#ffffff\"/>");
        add("<text x=\"" + LEFT + "\" y=\"22\" font-size=\"15\" font-weight=\"600\">" + escaped(title) + ", ms</text>");
        latencies();
        percentiles();
        IntStream.range(0, curves.size()).forEach(this::curve);
        IntStream.range(0, curves.size()).forEach(this::legend);
        add("</svg>");
        return svg.toString();
    }

    private void latencies() {
        for (double decade = low; decade <= high; decade *= 10) {
            for (double step : STEPS) {
                double millis = decade * step;
                if (millis <= high) {
                    line(LEFT, y(millis), WIDTH - RIGHT, y(millis), GRID);
                    text(LEFT - 8, y(millis) + 4, "end", plain(millis));
                }
            }
        }
    }

    private static String plain(double millis) {
        return String.format(Locale.ROOT, millis < 1 ? "%.2g" : "%.0f", millis);
    }

    private void percentiles() {
        int bottom = TOP + CHART_HEIGHT;
        double rarity = 1;
        for (String quantile : QUANTILES) {
            if (rarity <= rarest) {
                line(x(rarity), TOP, x(rarity), bottom, GRID);
                text(x(rarity), bottom + 18, "middle", quantile);
            }
            rarity *= 10;
        }
    }

    private void curve(int index) {
        StringBuilder path = new StringBuilder();
        for (double[] point : curves.get(index).points()) {
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(at(x(point[0])))
                    .append(' ')
                    .append(at(y(point[1])));
        }
        add("<path d=\"" + path + "\" fill=\"none\" stroke-width=\"1.8\" " + stroke(index) + "/>");
    }

    private void legend(int index) {
        int columnWidth = (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS;
        int left = LEFT + index % LEGEND_COLUMNS * columnWidth;
        int middle = TOP + CHART_HEIGHT + BELOW_CHART - 6 + index / LEGEND_COLUMNS * LEGEND_ROW;
        line(left, middle, left + 22, middle, "stroke-width=\"2.5\" " + stroke(index));
        text(left + 28, middle + 4, "start", curves.get(index).name());
    }

    /** When the colours are used up they come again, dashed. */
    private static String stroke(int index) {
        String dashes = index < COLORS.size() ? "" : " stroke-dasharray=\"6 4\"";
        return "stroke=\"" + COLORS.get(index % COLORS.size()) + "\"" + dashes;
    }

    private void line(double fromX, double fromY, double toX, double toY, String stroke) {
        add("<line x1=\"" + at(fromX) + "\" y1=\"" + at(fromY) + "\" x2=\"" + at(toX) + "\" y2=\"" + at(toY) + "\" "
                + stroke + "/>");
    }

    private void text(double x, double y, String anchor, String text) {
        add("<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\">" + escaped(text)
                + "</text>");
    }

    private static String at(double coordinate) {
        return String.format(Locale.ROOT, "%.1f", coordinate);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String line) {
        svg.append(line).append('\n');
    }
}
