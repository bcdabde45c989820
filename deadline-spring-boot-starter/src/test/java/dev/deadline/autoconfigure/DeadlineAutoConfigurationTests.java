package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.DeadlineListener;
import dev.deadline.Deadlines;
import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.FailureClassifier;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.StepRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class DeadlineAutoConfigurationTests {

    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DeadlineAutoConfiguration.class));

    @Test
    void offersWhatApplicationsInject() {
        this.context.run(context -> {
            assertThat(context).hasSingleBean(Deadline.class).hasSingleBean(Steps.class);
            assertThat(context).hasSingleBean(Deadlines.class).hasSingleBean(DeadlineEngine.class);
            assertThat(context.getBean(ModeSwitch.class).mode()).isEqualTo(Mode.ENFORCE);
        });
    }

    @Test
    void injectsADeadlineThatSpeaksForTheCurrentOne() {
        this.context.run(context -> {
            Deadline injected = context.getBean(Deadline.class);
            assertThat(injected.isBounded()).isFalse();
            try (Deadlines.Started started = context.getBean(Deadlines.class).start(Duration.ofSeconds(10))) {
                assertThat(injected.isBounded()).isTrue();
                assertThat(injected.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
            }
            assertThat(injected.isBounded()).isFalse();
        });
    }

    /** C40: detached work has a deadline of its own and none of the request's. */
    @Test
    void detachesWorkFromTheDeadlineThatAskedForIt() {
        this.context.run(context -> {
            Deadlines deadlines = context.getBean(Deadlines.class);
            List<Duration> seen = new CopyOnWriteArrayList<>();
            Runnable audit;
            try (Deadlines.Started request = deadlines.start(Duration.ofMillis(1))) {
                audit = deadlines.detached(
                        Duration.ofSeconds(10),
                        () -> seen.add(Deadline.current().remaining()));
                audit.run();
            }
            assertThat(seen).singleElement().satisfies(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(5)));
        });
    }

    @Test
    void isNotThereWhenSwitchedOff() {
        this.context
                .withPropertyValues("deadline.enabled=false", "deadline.budget=-1s")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DeadlineEngine.class));
    }

    @Test
    void backsOffForTheApplicationsOwnBeans() {
        this.context
                .withUserConfiguration(OwnBeans.class)
                .run(context ->
                        assertThat(context.getBean(FailureClassifier.class)).isSameAs(OwnBeans.CLASSIFIER));
    }

    @Test
    void tellsTheListenersOfTheApplication() {
        this.context.withUserConfiguration(OwnBeans.class).run(context -> {
            context.getBean(Steps.class).closed("flags").call(() -> "value");
            assertThat(OwnBeans.HEARD).containsExactly("flags");
        });
    }

    @Test
    void letsTheConfigurationWinOverTheCode() {
        this.context
                .withPropertyValues("deadline.steps.userPrefs.timeout=75ms", "deadline.steps.userPrefs.mode=observe")
                .run(context -> {
                    StepRegistry registry = context.getBean(StepRegistry.class);
                    assertThat(registry.unknownNames()).hasSize(1);
                    context.getBean(Steps.class).open("user-prefs").timeout(Duration.ofSeconds(1));
                    assertThat(registry.unknownNames()).isEmpty();
                });
    }

    /** C81: no thread outlives the context it belongs to, however often it is restarted. */
    @Test
    void leavesNoThreadBehind() {
        List<Thread> ofOthers = threads();
        for (int restart = 0; restart < 20; restart++) {
            this.context.run(context -> {
                try (Deadlines.Started job = context.getBean(Deadlines.class).start(Duration.ofMillis(1))) {
                    CountDownLatch cancelled = new CountDownLatch(1);
                    job.deadline().onCancel(reason -> cancelled.countDown());
                    assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
                }
                assertThat(threads()).isNotEmpty().allMatch(Thread::isDaemon);
            });
        }

        await().untilAsserted(() -> assertThat(ofOthers).containsAll(threads()));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("deadline-"))
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        private static final FailureClassifier CLASSIFIER = failure -> true;

        private static final List<String> HEARD = new CopyOnWriteArrayList<>();

        @Bean
        FailureClassifier ownClassifier() {
            return CLASSIFIER;
        }

        @Bean
        DeadlineListener ownListener() {
            HEARD.clear();
            return new DeadlineListener() {
                @Override
                public void stepFinished(StepEvent event) {
                    HEARD.add(event.step());
                }
            };
        }
    }
}
