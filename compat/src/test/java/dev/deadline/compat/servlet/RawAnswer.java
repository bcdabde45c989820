package dev.deadline.compat.servlet;

import java.util.List;

/** An answer as it came over the connection. */
public record RawAnswer(int status, List<String> head, String body) {

    /** The values of a header; empty if there is none. */
    public String header(String name) {
        return String.join(
                "|",
                this.head.stream()
                        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                        .map(line -> line.substring(name.length() + 1).trim())
                        .toList());
    }
}
