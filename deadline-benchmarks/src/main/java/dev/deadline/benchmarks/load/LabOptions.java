package dev.deadline.benchmarks.load;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What the {@link LoadLab} was asked to do.
 *
 * @param variants to compare
 * @param threads kinds to try
 * @param traffic kinds to try
 * @param shapes of load to try
 * @param seeds one run each
 * @param capacity requests a second; 0 to measure it
 * @param serverSettings further arguments of servers that have the library
 * @param jvm that runs the servers
 * @param output table to which results are added
 * @param pinning to processors
 */
record LabOptions(
        List<Variant> variants,
        List<Cell.Threads> threads,
        List<Traffic> traffic,
        List<LoadShape> shapes,
        List<Long> seeds,
        double capacity,
        List<String> serverSettings,
        String jvm,
        Path output,
        Pinning pinning) {

    static final String USAGE = """
            --variants=bare,gradient2,aimd,vegas,deadline,deadline-observe,deadline-refusing
            --threads=platform|virtual   --traffic=wait,cpu,mixed,nothing
            --cells=0.5,0.97,1.5,2,3,onset-2,burst,recovery   (times the capacity)
            --seeds=1,2   --capacity=316 (measured if absent)
            --warm-up=3   seconds before anything is measured
            --set=key=value,key=value   settings of servers with the library
            --jvm=path of bin/java for the servers, or -Dload.jvm   --out=load.csv
            --server-cpu=0   --client-cpu=1""";

    private static final Set<String> NAMES = Set.of(
            "variants",
            "threads",
            "traffic",
            "cells",
            "seeds",
            "capacity",
            "warm-up",
            "set",
            "jvm",
            "out",
            "server-cpu",
            "client-cpu");

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException if something in it is unknown
     */
    static LabOptions parse(String... args) {
        Map<String, String> given = new HashMap<>();
        for (String arg : args) {
            String[] parts = arg.split("=", 2);
            if (parts.length != 2 || !parts[0].startsWith("--") || !NAMES.contains(parts[0].substring(2))) {
                throw new IllegalArgumentException("What is " + arg + "? There are\n" + USAGE);
            }
            given.put(parts[0].substring(2), parts[1]);
        }
        String ownJvm = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        double warmUpSeconds = Double.parseDouble(given.getOrDefault("warm-up", "3"));
        return new LabOptions(
                list(given, "variants", "bare,vegas,deadline", name -> constant(Variant.class, name)),
                list(given, "threads", "platform", name -> constant(Cell.Threads.class, name)),
                list(given, "traffic", "wait", name -> constant(Traffic.class, name)),
                list(given, "cells", "0.5,0.97,1.5,2,3", name -> LoadShape.named(name, warmUpSeconds)),
                list(given, "seeds", "1", Long::valueOf),
                Double.parseDouble(given.getOrDefault("capacity", "0")),
                list(given, "set", "", setting -> "--" + setting),
                given.getOrDefault("jvm", System.getProperty("load.jvm", ownJvm)),
                Path.of(given.getOrDefault("out", "load.csv")),
                new Pinning(
                        Integer.parseInt(given.getOrDefault("server-cpu", "0")),
                        Integer.parseInt(given.getOrDefault("client-cpu", "1"))));
    }

    private static <T> List<T> list(Map<String, String> given, String name, String absent, Function<String, T> reader) {
        return Arrays.stream(given.getOrDefault(name, absent).split(","))
                .filter(item -> !item.isEmpty())
                .map(reader)
                .toList();
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String label) {
        return Enum.valueOf(type, label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
