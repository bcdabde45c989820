package dev.deadline.sample;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;

/** What the upstreams say about their calls. */
public record Stats(Map<String, Counts> upstreams) {

    /** The calls of one upstream. */
    public record Counts(int started, int completed, int abandoned, int inFlight) {}

    /** Asks the upstreams on the port. */
    public static Stats read(int port) {
        try (InputStream json =
                URI.create("http://127.0.0.1:" + port + "/stats").toURL().openStream()) {
            return new Stats(new ObjectMapper().readValue(json, new TypeReference<>() {}));
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** The calls of the upstream with the name. */
    public Counts of(String upstream) {
        return this.upstreams.get(upstream);
    }

    /** How many calls all upstreams got. */
    public int started() {
        return this.upstreams.values().stream().mapToInt(Counts::started).sum();
    }
}
