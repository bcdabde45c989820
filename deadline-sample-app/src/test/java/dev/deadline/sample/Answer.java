package dev.deadline.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What the application answered, and how long that took. */
record Answer(HttpResponse<String> response, Duration took) {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /**
     * Asks the application on the port.
     *
     * @param headers names and values in turn
     */
    static Answer to(int port, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        long start = System.nanoTime();
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response, Duration.ofNanos(System.nanoTime() - start));
        } catch (IOException | InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    int status() {
        return this.response.statusCode();
    }

    String body() {
        return this.response.body();
    }

    /** The value of the header, all lines of it; null if there is none. */
    String header(String name) {
        return this.response.headers().firstValue(name).isEmpty()
                ? null
                : String.join(", ", this.response.headers().allValues(name));
    }
}
