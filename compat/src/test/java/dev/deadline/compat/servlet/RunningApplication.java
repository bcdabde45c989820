package dev.deadline.compat.servlet;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.engine.DeadlineEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.awaitility.Awaitility;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/** The test application, and a client that talks to it over one kept connection. */
final class RunningApplication implements AutoCloseable {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpClient http2 = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    private <T> T bean(String name, Class<T> type) {
        return this.context.getBean(name, type);
    }

    <T> T bean(Class<T> type) {
        return this.context.getBean(type);
    }

    /** What was reported of all requests so far, once nothing is under way. */
    List<RequestEvent> events() {
        DeadlineEngine engine = bean(DeadlineEngine.class);
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> engine.inFlight() == 0 && isIdle());
        return bean(RecordingListener.class).requests;
    }

    /** Whether no thread of the container is in the application. */
    boolean isIdle() {
        DispatchCounter dispatches = (DispatchCounter)
                bean("dispatchCounter", FilterRegistrationBean.class).getFilter();
        return dispatches.isIdle();
    }

    /** Forgets what was reported so far. */
    void forgetEvents() {
        events().clear();
        bean(RecordingListener.class).ignored.clear();
        bean(RecordingListener.class).steps.clear();
    }

    long inFlight() {
        return bean(DeadlineEngine.class).inFlight();
    }

    int port() {
        return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Adds a connector of Tomcat's for AJP, and says where it is. */
    int ajpPort() {
        Connector connector = new Connector("AJP/1.3");
        connector.setProperty("secretRequired", "false");
        connector.setPort(0);
        Object server = ReflectionTestUtils.invokeMethod(this.context, "getWebServer");
        Tomcat tomcat = ReflectionTestUtils.invokeMethod(server, "getTomcat");
        tomcat.getService().addConnector(connector);
        return connector.getLocalPort();
    }

    /** Sends a GET request; the headers are names and values in turn. */
    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    HttpClient http2() {
        return this.http2;
    }

    HttpRequest request(String method, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    HttpResponse<String> send(String method, String path, String... headers) {
        try {
            return this.client.send(request(method, path, headers), BodyHandlers.ofString());
        } catch (IOException ex) {
            throw new IllegalStateException("No answer to " + path, ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close() {
        this.context.close();
    }
}
