package dev.deadline.compat.servlet;

import dev.deadline.Steps;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Pages whose clients go away, or are slow. */
@RestController
class ClientPages {

    private final Steps.Open waiting;

    private final WebClient client;

    ClientPages(Steps steps, WebClient.Builder client) {
        this.waiting = steps.open("waiting").timeout(Duration.ofSeconds(20));
        this.client = client.build();
    }

    private static String pause(long millis) throws InterruptedException {
        return new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS) ? "woken" : "waited";
    }

    @GetMapping("/client/upstream")
    String upstream(@RequestParam String url) {
        return this.waiting.call(
                () -> this.client
                        .get()
                        .uri(url)
                        .retrieve()
                        .bodyToMono(String.class)
                        .block(),
                failure -> "default");
    }

    @GetMapping("/client/waits/{id}")
    String waits(@PathVariable String id, @RequestParam long millis) throws Exception {
        return this.waiting.call(() -> pause(millis), failure -> "default") + " " + id;
    }

    @PostMapping("/client/posted")
    String posted(@RequestBody String body) throws Exception {
        return this.waiting.call(() -> pause(10_000), failure -> "default") + " " + body;
    }

    @PostMapping("/client/echoed")
    String echoed(@RequestBody String body, @RequestParam long millis) throws Exception {
        return this.waiting.call(() -> pause(millis), failure -> "default") + " " + body;
    }

    @GetMapping("/client/download")
    void download(HttpServletResponse response) throws IOException {
        byte[] block = new byte[10_000];
        // Ends with the first write that fails.
        while (true) {
            response.getOutputStream().write(block);
        }
    }

    @GetMapping("/client/stream")
    StreamingResponseBody stream() {
        byte[] block = new byte[10_000];
        return out -> {
            while (true) {
                out.write(block);
            }
        };
    }

    @PostMapping("/client/stream-in")
    String streamIn(HttpServletRequest request) throws IOException {
        byte[] block = new byte[10];
        int read = 0;
        InputStream in = request.getInputStream();
        for (int count = in.read(block); count >= 0; count = in.read(block)) {
            read += count;
        }
        return "read " + read;
    }

    @PostMapping("/client/reader")
    String reader(HttpServletRequest request) throws IOException {
        return "read " + request.getReader().readLine();
    }

    @PostMapping("/client/json")
    String json(@RequestBody Map<String, Object> body) {
        return "read " + body;
    }

    @PostMapping("/client/form")
    String form(HttpServletRequest request) {
        return "read " + request.getParameter("a") + Arrays.toString(request.getParameterValues("a"));
    }

    @PostMapping("/client/parts")
    String parts(@RequestParam MultipartFile file) throws IOException {
        return "read " + new String(file.getBytes());
    }
}
