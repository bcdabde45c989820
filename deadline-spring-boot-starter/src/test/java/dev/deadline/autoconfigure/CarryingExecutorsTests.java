package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.propagation.DeadlineTaskDecorator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

class CarryingExecutorsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlinePropagationAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class));

    private final Callable<Boolean> look = () -> Deadline.current().isBounded();

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private boolean carries(BeanFactory beans, AsyncTaskExecutor executor) throws Exception {
        try (Deadlines.Started started = beans.getBean(Deadlines.class).start(Duration.ofMinutes(1))) {
            return executor.submit(this.look).get(10, TimeUnit.SECONDS);
        }
    }

    private TaskDecorator writing(String name) {
        return task -> {
            this.seen.add(name);
            return task;
        };
    }

    @Test
    void decoratesTheExecutorThatBootConfigures() {
        this.runner.run(context -> {
            AsyncTaskExecutor executor = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            assertThat(executor).isInstanceOf(ThreadPoolTaskExecutor.class);
            assertThat(carries(context, executor)).isTrue();
            assertThat(executor.submit(this.look).get(10, TimeUnit.SECONDS)).isFalse();
        });
    }

    @Test
    void decoratesWhatBootsBuildersMake() {
        this.runner.run(context -> {
            ThreadPoolTaskExecutor pool =
                    context.getBean(ThreadPoolTaskExecutorBuilder.class).build();
            pool.initialize();
            SimpleAsyncTaskExecutor simple =
                    context.getBean(SimpleAsyncTaskExecutorBuilder.class).build();
            assertThat(carries(context, pool)).isTrue();
            assertThat(carries(context, simple)).isTrue();
            pool.shutdown();
        });
    }

    @Test
    void keepsTheDecoratorThatIsABean() {
        this.runner.withBean("mine", TaskDecorator.class, () -> writing("bean")).run(context -> {
            assertThat(carries(context, context.getBean(ThreadPoolTaskExecutor.class)))
                    .isTrue();
            assertThat(this.seen).containsExactly("bean");
        });
    }

    @Test
    void keepsTheDecoratorsOfABuilderAndOfACustomizer() {
        ThreadPoolTaskExecutorCustomizer customizer = executor -> {
            if (executor.getThreadNamePrefix().startsWith("customized")) {
                executor.setTaskDecorator(writing("customizer"));
            }
        };
        this.runner
                .withBean("mine", ThreadPoolTaskExecutorCustomizer.class, () -> customizer)
                .run(context -> {
                    ThreadPoolTaskExecutorBuilder builder =
                            context.getBean(ThreadPoolTaskExecutorBuilder.class).taskDecorator(writing("builder"));
                    ThreadPoolTaskExecutor built = builder.build();
                    ThreadPoolTaskExecutor customized =
                            builder.threadNamePrefix("customized-").build();
                    built.initialize();
                    customized.initialize();

                    assertThat(carries(context, built)).isTrue();
                    assertThat(carries(context, customized)).isTrue();
                    assertThat(this.seen).containsExactly("builder", "customizer");
                    built.shutdown();
                    customized.shutdown();
                });
    }

    @Test
    void toleratesThatSpringsDecoratorCarriesToo() {
        this.runner
                .withBean(ContextPropagatingTaskDecorator.class)
                .run(context -> assertThat(carries(context, context.getBean(ThreadPoolTaskExecutor.class)))
                        .isTrue());
    }

    @Test
    void decoratesOnce() {
        this.runner.run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean(ThreadPoolTaskExecutor.class);
            TaskDecorator once = decoratorOf(executor);

            CarryingExecutors.decorate(executor);

            assertThat(once).isInstanceOf(DeadlineTaskDecorator.class);
            assertThat(decoratorOf(executor)).isSameAs(once);
        });
    }

    private static TaskDecorator decoratorOf(ThreadPoolTaskExecutor executor) {
        return (TaskDecorator) new DirectFieldAccessor(executor).getPropertyValue("taskDecorator");
    }

    /** What is scheduled runs when it is due, for no request. */
    @Test
    void leavesTheSchedulerAlone() {
        this.runner.withUserConfiguration(Scheduling.class).run(context -> {
            ThreadPoolTaskScheduler scheduler = context.getBean(ThreadPoolTaskScheduler.class);
            assertThat(carries(context, scheduler)).isFalse();
        });
    }

    @Test
    void decoratesNothingWhenToldSo() {
        this.runner
                .withPropertyValues("deadline.propagation.task-executors=false")
                .run(context -> assertThat(carries(context, context.getBean(ThreadPoolTaskExecutor.class)))
                        .isFalse());
    }

    @Test
    void decoratesNothingWhenDisabled() {
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(decoratorOf(context.getBean(ThreadPoolTaskExecutor.class)))
                        .isNull());
    }

    @Test
    void keepsTheFieldsOfBothExecutorsInNativeImages() throws NoSuchFieldException {
        RuntimeHints hints = new RuntimeHints();

        CarryingExecutors.registerHints(hints);

        assertThat(RuntimeHintsPredicates.reflection()
                        .onField(ThreadPoolTaskExecutor.class.getDeclaredField("taskDecorator")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onField(SimpleAsyncTaskExecutor.class.getDeclaredField("taskDecorator")))
                .accepts(hints);
    }

    @EnableScheduling
    static class Scheduling {}
}
