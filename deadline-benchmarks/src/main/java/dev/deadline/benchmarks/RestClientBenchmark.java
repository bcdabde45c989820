package dev.deadline.benchmarks;

import dev.deadline.http.BlockingClients;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;

/**
 * What a deadline adds to a call of a RestClient whose transport takes no time, so that nothing else is measured.
 *
 * <pre>
 * java -jar deadline-benchmarks/target/benchmarks.jar RestClientBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class RestClientBenchmark {

    private static final URI ADDRESS = URI.create("http://127.0.0.1/");

    private static final byte[] ANSWER = "hello".getBytes(StandardCharsets.US_ASCII);

    private final ClientHttpRequestFactory transport = AnsweringRequest::new;

    private final RestClient plain =
            RestClient.builder().requestFactory(this.transport).build();

    private final RestClient bounded = RestClient.builder()
            .requestFactory(BlockingClients.create().bound(this.transport))
            .build();

    private OpenRequest request;

    @Setup
    public void open() {
        this.request = new OpenRequest();
    }

    @TearDown
    public void close() {
        this.request.close();
    }

    @Benchmark
    public byte[] plainCall() {
        return this.plain.get().uri(ADDRESS).retrieve().body(byte[].class);
    }

    @Benchmark
    public byte[] boundedCall() {
        return this.bounded.get().uri(ADDRESS).retrieve().body(byte[].class);
    }

    /** A request that is answered from memory. */
    private static final class AnsweringRequest extends AbstractClientHttpRequest {

        private final URI uri;

        private final HttpMethod method;

        AnsweringRequest(URI uri, HttpMethod method) {
            this.uri = uri;
            this.method = method;
        }

        @Override
        public HttpMethod getMethod() {
            return this.method;
        }

        @Override
        public URI getURI() {
            return this.uri;
        }

        @Override
        protected OutputStream getBodyInternal(HttpHeaders headers) {
            return OutputStream.nullOutputStream();
        }

        @Override
        protected ClientHttpResponse executeInternal(HttpHeaders headers) {
            return new Answer();
        }
    }

    private static final class Answer implements ClientHttpResponse {

        private final HttpHeaders headers = new HttpHeaders();

        Answer() {
            this.headers.setContentLength(ANSWER.length);
        }

        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatus.OK;
        }

        @Override
        public String getStatusText() {
            return "OK";
        }

        @Override
        public HttpHeaders getHeaders() {
            return this.headers;
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(ANSWER);
        }

        @Override
        public void close() {}
    }
}
