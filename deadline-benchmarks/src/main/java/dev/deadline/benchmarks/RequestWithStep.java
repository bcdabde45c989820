package dev.deadline.benchmarks;

import dev.deadline.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Section;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application, and in it a request with an hour to go that is bound to the thread. */
@State(Scope.Thread)
public class RequestWithStep {

    /** Whether steps are logged and measured, as they are in an application with the actuator. */
    @Param({"true", "false"})
    boolean reported;

    GreetingStep step;

    private ConfigurableApplicationContext context;

    private DeadlineEngine engine;

    private dev.deadline.engine.Scope request;

    private Section section;

    @Setup
    public void open() {
        String silent = "dev.deadline.autoconfigure.DeadlineLoggingAutoConfiguration,"
                + "dev.deadline.autoconfigure.DeadlineMetricsAutoConfiguration";
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties("logging.level.root=warn", "spring.autoconfigure.exclude=" + (this.reported ? "" : silent))
                .run();
        this.step = this.context.getBean(GreetingStep.class);
        this.engine = this.context.getBean(DeadlineEngine.class);
        this.request = this.engine.openRequest(
                System.nanoTime(), TimeUnit.HOURS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(800), Mode.ENFORCE, false);
        this.section = this.engine.bind(this.request);
    }

    @TearDown
    public void close() {
        this.section.close();
        this.engine.finishRequest(this.request, Outcome.OK, null, RequestAnswer.UNKNOWN);
        this.context.close();
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        GreetingStep greetingStep() {
            return new GreetingStep();
        }

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }
    }
}
