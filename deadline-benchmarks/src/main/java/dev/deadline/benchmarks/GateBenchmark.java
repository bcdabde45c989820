package dev.deadline.benchmarks;

import dev.deadline.engine.ArrivalStamp;
import dev.deadline.engine.MonotonicClock;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * What the gate costs a request that gets in: the library's filters, as an application on Tomcat has them, around
 * nothing, without the gate, with it, and with a limit by address as well. The difference to the first is the price.
 *
 * <pre>
 * java -jar deadline-benchmarks/target/benchmarks.jar GateBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class GateBenchmark {

    /** What is set up besides a budget. */
    public enum Gate {

        /** No gate. */
        NONE("deadline.gateway.enabled=false"),

        /** The shedder, which refuses. */
        SHEDDING("deadline.gateway.shedding.mode=enforce"),

        /** As above, and a limit by address that nobody comes near. */
        SHEDDING_AND_LIMIT(
                "deadline.gateway.shedding.mode=enforce",
                "deadline.gateway.rate-limit.rules[0].paths=/**",
                "deadline.gateway.rate-limit.rules[0].key=address",
                "deadline.gateway.rate-limit.rules[0].limit=1000000000");

        private final String[] settings;

        Gate(String... settings) {
            this.settings = settings;
        }
    }

    @Param
    public Gate gate;

    private ConfigurableApplicationContext context;

    private List<Filter> filters;

    @Setup
    public void start() throws ServletException, IOException {
        this.context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .properties("server.port=0", "logging.level.root=warn", "deadline.budget=10s")
                .properties(this.gate.settings)
                .run();
        this.filters = this.context
                .getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .<Filter>map(FilterRegistrationBean::getFilter)
                .filter(filter -> filter.getClass().getName().startsWith("dev.deadline."))
                .toList();
        if (admit() != 200) {
            throw new IllegalStateException("The request has been refused");
        }
    }

    @TearDown
    public void stop() {
        this.context.close();
    }

    /** A request that came out of the container's queue just now. */
    @Benchmark
    public int admit() throws ServletException, IOException {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/orders/17");
        MockHttpServletResponse response = new MockHttpServletResponse();
        ArrivalStamp.put(MonotonicClock.SYSTEM.nanoTime());
        new Chain(this.filters.iterator()).doFilter(request, response);
        ArrivalStamp.clear();
        return response.getStatus();
    }

    private record Chain(Iterator<Filter> rest) implements FilterChain {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response) throws IOException, ServletException {
            if (this.rest.hasNext()) {
                this.rest.next().doFilter(request, response, this);
            }
        }
    }

    @EnableAutoConfiguration
    static class Application {}
}
