package dev.deadline.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Timeout;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/**
 * What a call that answers at once costs when it is a step of a request, beside a plain call through Spring AOP and
 * beside the timeouts of peers. All in one run, so that the machine cancels out.
 *
 * <pre>
 * mvn -Pbenchmarks -pl deadline-benchmarks -am package -DskipStarterTests
 * java -jar deadline-benchmarks/target/benchmarks.jar StepBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class StepBenchmark {

    private static final Duration TIMEOUT = Duration.ofMillis(250);

    private final Greeter greeter = new Greeter();

    private final Greeter advised = advised();

    private final FailsafeExecutor<Object> failsafe =
            Failsafe.with(Timeout.builder(TIMEOUT).withInterrupt().build());

    private final TimeLimiter timeLimiter = TimeLimiter.of(TIMEOUT);

    private final ExecutorService pool = Executors.newFixedThreadPool(2);

    // Found by an annotation, as a step is.
    private static Greeter advised() {
        ProxyFactory factory = new ProxyFactory(new AnnotatedGreeter());
        factory.setProxyTargetClass(true);
        factory.addAdvisor(new DefaultPointcutAdvisor(
                AnnotationMatchingPointcut.forMethodAnnotation(Advised.class),
                (MethodInterceptor) MethodInvocation::proceed));
        return (Greeter) factory.getProxy();
    }

    @TearDown
    public void close() {
        this.pool.shutdownNow();
    }

    @Benchmark
    public String plainCall() {
        return this.greeter.greet();
    }

    @Benchmark
    public String springAop() {
        return this.advised.greet();
    }

    @Benchmark
    public String step(RequestWithStep request) {
        return request.step.greet();
    }

    @Benchmark
    public String failsafeTimeout() {
        return this.failsafe.get(this.greeter::greet);
    }

    @Benchmark
    public String resilience4jTimeLimiter() throws Exception {
        return this.timeLimiter.executeFutureSupplier(() -> this.pool.submit(this.greeter::greet));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Advised {}

    static class AnnotatedGreeter extends Greeter {

        @Override
        @Advised
        public String greet() {
            return super.greet();
        }
    }
}
