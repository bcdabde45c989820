package dev.deadline.autoconfigure;

import dev.deadline.Deadline;
import dev.deadline.DeadlineListener;
import dev.deadline.Deadlines;
import dev.deadline.Steps;
import dev.deadline.engine.CurrentDeadlineFacade;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Deferred;
import dev.deadline.engine.EngineDeadlines;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.EngineSteps;
import dev.deadline.engine.FailureClassifier;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.Nanos;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import dev.deadline.engine.StepSettings;
import dev.deadline.engine.UpstreamFailures;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The engine, and the beans that applications inject.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
@EnableConfigurationProperties(DeadlineProperties.class)
public final class DeadlineAutoConfiguration {

    private static final Log logger = LogFactory.getLog(DeadlineAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    ModeSwitch deadlineModeSwitch(DeadlineProperties properties) {
        Mode mode = properties.mode();
        if (mode == null && DebuggerAttached.isTrue()) {
            logger.info("A debugger is attached, so deadlines are observed and nothing is cut. "
                    + "Set deadline.mode=enforce to cut all the same.");
            mode = Mode.OBSERVE;
        }
        return new ModeSwitch((mode != null) ? mode : Mode.ENFORCE);
    }

    @Bean
    @ConditionalOnMissingBean
    FailureClassifier deadlineFailureClassifier() {
        return new UpstreamFailures();
    }

    @Bean
    @ConditionalOnMissingBean
    DeadlineEngine deadlineEngine(
            DeadlineProperties properties,
            ModeSwitch mode,
            FailureClassifier failures,
            ObjectProvider<DeadlineListener> listeners) {
        DeadlinePropertiesCheck.check(properties);
        EngineSettings settings = new EngineSettings(
                Nanos.of(properties.answerMargin()),
                properties.interrupt(),
                Nanos.of(properties.watchdog().grace()),
                properties.watchdog().hookThreads(),
                properties.response().serverTiming());
        return DeadlineEngine.start(
                settings, mode, failures, listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    StepRegistry deadlineStepRegistry(DeadlineProperties properties) {
        Map<String, StepSettings> settings = new LinkedHashMap<>();
        properties
                .steps()
                .forEach((name, step) -> settings.put(
                        name, new StepSettings(step.timeout(), step.reserve(), step.minimum(), step.mode())));
        return new StepRegistry(settings);
    }

    @Bean
    @ConditionalOnMissingBean
    StepRunner deadlineStepRunner(DeadlineEngine engine, ObjectProvider<Deferred> kinds) {
        return new StepRunner(engine, kinds.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    Steps deadlineSteps(StepRegistry registry, StepRunner runner) {
        return new EngineSteps(registry, runner);
    }

    @Bean
    @ConditionalOnMissingBean
    Deadlines deadlines(DeadlineEngine engine) {
        return new EngineDeadlines(engine);
    }

    @Bean
    @ConditionalOnMissingBean
    Deadline deadline() {
        return new CurrentDeadlineFacade();
    }
}
