package dev.deadline.benchmarks;

import com.sun.net.httpserver.HttpServer;
import dev.deadline.http.BlockingClients;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/**
 * What a deadline adds to a call of a RestClient over the loopback interface.
 *
 * <pre>
 * java -cp deadline-benchmarks/target/benchmarks.jar dev.deadline.benchmarks.RestClientOverhead
 * </pre>
 */
public final class RestClientOverhead {

    private static final byte[] ANSWER = "[{\"name\":\"Kettle\",\"price\":39}]".getBytes(StandardCharsets.UTF_8);

    private RestClientOverhead() {}

    public static void main(String[] args) throws Exception {
        LoggingSystem.get(RestClientOverhead.class.getClassLoader()).setLogLevel("ROOT", LogLevel.WARN);
        // Or each answer waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ExecutorService pool = Executors.newFixedThreadPool(2);
        HttpServer server = serve(pool);
        try (OpenRequest request = new OpenRequest()) {
            compare("Apache HttpComponents", new HttpComponentsClientHttpRequestFactory(), server);
            compare("JDK", new JdkClientHttpRequestFactory(), server);
        } finally {
            server.stop(0);
            pool.shutdownNow();
        }
    }

    private static HttpServer serve(ExecutorService pool) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void compare(String name, ClientHttpRequestFactory factory, HttpServer server) throws Exception {
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        RestClient plain = RestClient.builder().requestFactory(factory).build();
        RestClient bounded = RestClient.builder()
                .requestFactory(BlockingClients.create().bound(factory))
                .build();
        System.out.println(name + ": "
                + new PairedRun(400, 100)
                        .compare(
                                () -> plain.get().uri(address).retrieve().body(byte[].class),
                                () -> bounded.get().uri(address).retrieve().body(byte[].class)));
    }
}
