package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a table of results: goodput over the offered load, one line for each variant, as an SVG that can be read on
 * light and on dark pages. More than one run of a cell counts as their mean.
 *
 * <pre>
 * java -cp deadline-benchmarks/target/benchmarks.jar dev.deadline.benchmarks.load.GoodputPlot \
 *     load.csv platform wait docs/images/shedding-platform.svg
 * </pre>
 */
public final class GoodputPlot {

    private static final int WIDTH = 720;

    private static final int HEIGHT = 400;

    private static final int LEFT = 60;

    private static final int RIGHT = 560;

    private static final int TOP = 40;

    private static final int BOTTOM = 340;

    private static final double MOST_LOAD = 3.2;

    /** Seen well on white and on black. */
    private static final List<String> COLOURS =
            List.of("#2f9e6e", "#888888", "#d9822b", "#3b82c4", "#b5599c", "#c2554d");

    private final StringBuilder svg = new StringBuilder();

    private GoodputPlot() {}

    public static void main(String[] args) throws IOException {
        String threads = args[1];
        String traffic = args[2];
        GoodputPlot plot = new GoodputPlot();
        plot.frame("Answered within 500 ms, %s threads, %s".formatted(threads, traffic));
        int line = 0;
        for (Map.Entry<String, TreeMap<Double, Double>> variant :
                goodput(Path.of(args[0]), threads, traffic).entrySet()) {
            plot.line(variant.getKey(), variant.getValue(), line++);
        }
        plot.svg.append("</svg>\n");
        Files.writeString(Path.of(args[3]), plot.svg);
    }

    /** By variant, ours first, and by load. */
    private static Map<String, TreeMap<Double, Double>> goodput(Path table, String threads, String traffic)
            throws IOException {
        Map<String, TreeMap<Double, List<Double>>> all = new LinkedHashMap<>();
        all.put(Variant.DEADLINE.label(), new TreeMap<>());
        for (String[] row : ResultTable.validRows(table)) {
            if (row[1].equals(threads) && row[2].equals(traffic) && row[3].matches("[0-9.]+")) {
                all.computeIfAbsent(row[0], variant -> new TreeMap<>())
                        .computeIfAbsent(Double.valueOf(row[3]), load -> new ArrayList<>())
                        .add(Double.valueOf(row[9]));
            }
        }
        Map<String, TreeMap<Double, Double>> means = new LinkedHashMap<>();
        all.forEach((variant, loads) -> {
            TreeMap<Double, Double> line = means.computeIfAbsent(variant, name -> new TreeMap<>());
            loads.forEach((load, values) -> line.put(
                    load,
                    values.stream().mapToDouble(Double::doubleValue).average().orElseThrow()));
        });
        means.values().removeIf(TreeMap::isEmpty);
        return means;
    }

    private void frame(String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#808080\">%n",
                WIDTH, HEIGHT);
        add("<title>%s</title>%n", title);
        text(LEFT, TOP - 18, "start", title);
        for (int percent = 0; percent <= 100; percent += 20) {
            add("<path d=\"M%d %.1fH%d\" stroke=\"#808080\" stroke-opacity=\"0.3\"/>%n", LEFT, y(percent), RIGHT);
            text(LEFT - 8, y(percent) + 4, "end", percent + " %");
        }
        for (double load = 0.5; load <= 3; load += 0.5) {
            text(x(load), BOTTOM + 20, "middle", String.format(Locale.ROOT, "%.1f", load));
        }
        text((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", "offered load, times the capacity");
        add(
                "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">goodput</text>%n",
                (TOP + BOTTOM) / 2);
    }

    private void line(String variant, TreeMap<Double, Double> points, int index) {
        String colour = COLOURS.get(index % COLOURS.size());
        StringBuilder path = new StringBuilder();
        points.forEach((load, percent) -> path.append(
                String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x(load), y(percent))));
        // Of lines on top of one another, the dashes of the upper ones let the lower ones be seen.
        String dashes = (index < 2) ? "" : " stroke-dasharray=\"%d %d\"".formatted(12 - 2 * index, 2 * index);
        add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>%n", path, colour, dashes);
        points.forEach((load, percent) ->
                add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n", x(load), y(percent), colour));
        int legendY = TOP + 20 + 24 * index;
        add("<path d=\"M%d %dh22\" stroke=\"%s\" stroke-width=\"3\"/>%n", RIGHT + 20, legendY - 4, colour);
        text(RIGHT + 50, legendY, "start", variant);
    }

    private void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text);
    }

    private void add(String format, Object... values) {
        this.svg.append(String.format(Locale.ROOT, format, values));
    }

    private static double x(double load) {
        return LEFT + load / MOST_LOAD * (RIGHT - LEFT);
    }

    private static double y(double percent) {
        return BOTTOM - percent / 100 * (BOTTOM - TOP);
    }
}
