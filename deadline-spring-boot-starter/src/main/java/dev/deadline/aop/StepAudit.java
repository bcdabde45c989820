package dev.deadline.aop;

import dev.deadline.engine.StepRegistry;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Warns, once all beans are there, of what is not an error but will not do what it looks like: steps that are not in
 * effect or not outside of all other advice, and settings for steps that do not exist.
 */
public final class StepAudit implements SmartInitializingSingleton {

    private static final Log logger = LogFactory.getLog(StepAudit.class);

    private final ConfigurableListableBeanFactory beans;

    private final StepPostProcessor postProcessor;

    private final StepRegistry registry;

    public StepAudit(ConfigurableListableBeanFactory beans, StepPostProcessor postProcessor, StepRegistry registry) {
        this.beans = beans;
        this.postProcessor = postProcessor;
        this.registry = registry;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : this.beans.getSingletonNames()) {
            Object bean = this.beans.getSingleton(name);
            if (bean != null) {
                warnIfNotAdvised(name, bean);
                warnIfNotOutermost(name, bean);
            }
        }
        List<String> known = this.registry.names();
        for (String unknown : this.registry.unknownNames()) {
            logger.warn("deadline.steps." + unknown + " sets up a step that nothing has declared so far. "
                    + NearestName.of(unknown, known)
                            .map(nearest -> "The nearest known name is '" + nearest + "'.")
                            .orElse("No step is known at all."));
        }
    }

    private void warnIfNotAdvised(String beanName, Object bean) {
        this.postProcessor.stepsOf(bean).values().forEach(step -> {
            if (!this.postProcessor.isAdvised(bean)) {
                logger.warn("@Step at " + Signatures.place(step.method()) + " has no effect, as the bean '" + beanName
                        + "' was made before the advice was ready, or without the bean factory. Have what needs it so "
                        + "early, often a BeanPostProcessor, ask for it later through an ObjectProvider or @Lazy.");
            }
        });
    }

    private void warnIfNotOutermost(String beanName, Object bean) {
        this.postProcessor.stepsOf(bean).values().forEach(step -> {
            for (Advisor outside : this.postProcessor.outsideOf(step, bean)) {
                logger.warn("The " + OutsideAdvice.nameOf(outside) + " of the bean '" + beanName
                        + "' is outside of @Step at " + Signatures.place(step.method())
                        + ", so that each attempt that it makes has the time of the step anew, and its waits have no "
                        + "limit. Have the post-processor that adds it run before the one for steps: with an order below "
                        + "Ordered.LOWEST_PRECEDENCE - 1, or without being a MergedBeanDefinitionPostProcessor.");
            }
        });
    }
}
