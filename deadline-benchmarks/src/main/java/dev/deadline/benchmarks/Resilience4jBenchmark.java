package dev.deadline.benchmarks;

import dev.deadline.Deadlines;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.annotation.Retry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What a method with a retry, a breaker and a bulkhead costs as Resilience4j has it and under a deadline; the method does
 * nothing.
 *
 * <pre>
 * java -jar deadline-benchmarks/target/benchmarks.jar Resilience4jBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class Resilience4jBenchmark {

    @Param({"false", "true"})
    public boolean bounded;

    private ConfigurableApplicationContext context;

    private Guarded guarded;

    private Deadlines.Started budget;

    @Setup(Level.Trial)
    public void start() {
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run("--deadline.resilience4j.enabled=" + this.bounded, "--spring.main.banner-mode=off");
        this.guarded = this.context.getBean(Guarded.class);
        this.budget = this.context.getBean(Deadlines.class).start(Duration.ofHours(1));
    }

    @TearDown(Level.Trial)
    public void stop() {
        this.budget.close();
        this.context.close();
    }

    @Benchmark
    public int call() {
        return this.guarded.answer();
    }

    /** Has three guards. */
    public static class Guarded {

        @Retry(name = "guarded")
        @CircuitBreaker(name = "guarded")
        @Bulkhead(name = "guarded")
        public int answer() {
            return 42;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Guarded guarded() {
            return new Guarded();
        }
    }
}
