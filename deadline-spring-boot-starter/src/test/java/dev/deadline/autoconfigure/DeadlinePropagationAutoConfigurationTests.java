package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.Deferred;
import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.propagation.DeadlineThreadLocalAccessor;
import dev.deadline.propagation.RemainingMillisCodec;
import dev.deadline.propagation.ThreadLocalRegistration;
import dev.deadline.reactive.DeferredStage;
import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

class DeadlinePropagationAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlinePropagationAutoConfiguration.class,
                    DeadlineDeferredAutoConfiguration.class));

    @Test
    void knowsThreeHeadersAndItsOwnFirst() {
        this.runner.run(context -> assertThat(
                        context.getBeanProvider(DeadlineCodec.class).orderedStream())
                .extracting(DeadlineCodec::headerName)
                .containsExactly("X-Deadline-Remaining-Ms", "grpc-timeout", "x-envoy-expected-rq-timeout-ms"));
    }

    @Test
    void backsOffForTheUsersOwn() {
        this.runner
                .withBean(
                        "deadlineRemainingMillisCodec",
                        DeadlineCodec.class,
                        () -> new RemainingMillisCodec("X-Time-Left"))
                .run(context -> assertThat(context.getBeansOfType(DeadlineCodec.class))
                        .hasSize(3)
                        .extractingByKey("deadlineRemainingMillisCodec")
                        .extracting(DeadlineCodec::headerName)
                        .isEqualTo("X-Time-Left"));
    }

    @Test
    void knowsStagesWithoutReactor() {
        this.runner
                .withClassLoader(new FilteredClassLoader(Mono.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(Deferred.class)
                        .isInstanceOf(DeferredStage.class));
    }

    /** {@code spring.main.lazy-initialization=true}. */
    @Test
    void carriesDeadlinesWhereBeansAreMadeLate() {
        this.runner
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(ContextRegistry.getInstance().getThreadLocalAccessors())
                        .hasAtLeastOneElementOfType(DeadlineThreadLocalAccessor.class));
        assertThat(ContextRegistry.getInstance().getThreadLocalAccessors())
                .doesNotHaveAnyElementsOfTypes(DeadlineThreadLocalAccessor.class);
    }

    @Test
    void isAbsentWhenDisabled() {
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(ThreadLocalRegistration.class)
                        .doesNotHaveBean(DeadlineCodec.class)
                        .doesNotHaveBean(Deferred.class));
    }
}
