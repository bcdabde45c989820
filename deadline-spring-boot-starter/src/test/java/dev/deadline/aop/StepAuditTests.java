package dev.deadline.aop;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import dev.deadline.Steps;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

@ExtendWith(OutputCaptureExtension.class)
class StepAuditTests {

    @Test
    void namesTheNearestStepForSettingsOfAnUnknownOne(CapturedOutput output) {
        StepContext.with(Declared.class, Functional.class)
                .withPropertyValues(
                        "deadline.steps.user-perfs.timeout=1s",
                        "deadline.steps.revokation.timeout=1s",
                        "deadline.steps.userPrefs.timeout=2s")
                .run(context -> assertThat(output)
                        .containsOnlyOnce("deadline.steps.user-perfs sets up a step that nothing has declared so far. "
                                + "The nearest known name is 'user.prefs'.")
                        .containsOnlyOnce("deadline.steps.revokation sets up a step that nothing has declared so far. "
                                + "The nearest known name is 'revocation'.")
                        .doesNotContain("deadline.steps.userPrefs sets up"));
    }

    @Test
    void saysSoWhenNoStepIsKnown(CapturedOutput output) {
        StepContext.runner()
                .withPropertyValues("deadline.steps.flags.timeout=1s")
                .run(context -> assertThat(output)
                        .contains("deadline.steps.flags sets up a step that nothing has declared so far. "
                                + "No step is known at all."));
    }

    @Test
    void staysQuietWhenAllIsWell(CapturedOutput output) {
        StepContext.with(Declared.class, Functional.class)
                .run(context -> assertThat(output).doesNotContain("WARN"));
    }

    @Test
    void namesAdviceThatIsOutsideOfAStep(CapturedOutput output) {
        StepContext.with(Declared.class, OutsidePostProcessor.class).run(context -> {
            Advised declared = (Advised) context.getBean(Declared.class);
            assertThat(declared.getAdvisors()[0].getAdvice()).isInstanceOf(Tracing.class);
            assertThat(output)
                    .containsOnlyOnce("The advice " + Tracing.class.getName() + " of the bean '"
                            + context.getBeanNamesForType(Declared.class)[0] + "' is outside of @Step at "
                            + Declared.class.getName() + ".preferences(), so that each attempt")
                    .contains("with an order below Ordered.LOWEST_PRECEDENCE - 1");
        });
    }

    @Test
    void namesAdviceOfAProxyAroundTheStep(CapturedOutput output) {
        StepContext.with(Declared.class, LatePostProcessor.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce("The advice " + Tracing.class.getName())
                        .contains(" is outside of @Step at " + Declared.class.getName() + ".preferences()"));
    }

    @Test
    void staysQuietAboutAdviceOfOtherMethods(CapturedOutput output) {
        StepContext.with(Declared.class, OutsidePostProcessor.class)
                .withPropertyValues("advised-method=other")
                .run(context -> {
                    assertThat(((Advised) context.getBean(Declared.class)).getAdvisors()[0].getAdvice())
                            .isInstanceOf(Tracing.class);
                    assertThat(output).doesNotContain("is outside of");
                });
    }

    @Test
    void staysQuietAboutAdviceThatIsInside(CapturedOutput output) {
        StepContext.with(Declared.class, InsidePostProcessor.class).run(context -> {
            assertThat(((Advised) context.getBean(Declared.class)).getAdvisors())
                    .extracting(Advisor::getAdvice)
                    .hasSize(2)
                    .last()
                    .isInstanceOf(Tracing.class);
            assertThat(output).doesNotContain("WARN");
        });
    }

    static class Declared {

        @Step(name = "user.prefs", onTimeout = OPEN)
        public void preferences() {}

        public void other() {}
    }

    static class Tracing implements MethodInterceptor {

        @Override
        public Object invoke(MethodInvocation invocation) throws Throwable {
            return invocation.proceed();
        }
    }

    abstract static class TracingPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
            implements EnvironmentAware {

        TracingPostProcessor() {
            setBeforeExistingAdvisors(true);
            setProxyTargetClass(true);
        }

        @Override
        public void setEnvironment(Environment environment) {
            NameMatchMethodPointcutAdvisor tracing = new NameMatchMethodPointcutAdvisor(new Tracing());
            tracing.setMappedName(environment.getProperty("advised-method", "preferences"));
            tracing.setClassFilter(new RootClassFilter(Declared.class));
            this.advisor = tracing;
        }
    }

    /** As those of Spring are: registered before the one for steps, whatever their order. */
    static class InsidePostProcessor extends TracingPostProcessor {}

    static class OutsidePostProcessor extends TracingPostProcessor implements MergedBeanDefinitionPostProcessor {

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {}
    }

    static class LatePostProcessor implements BeanPostProcessor, MergedBeanDefinitionPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {}

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!(bean instanceof Declared)) {
                return bean;
            }
            ProxyFactory around = new ProxyFactory();
            around.setTarget(bean);
            around.setProxyTargetClass(true);
            around.addAdvice(new Tracing());
            return around.getProxy();
        }
    }

    static class Functional {

        private final Steps.Closed revocation;

        Functional(Steps steps) {
            this.revocation = steps.closed("revocation");
        }
    }
}
