package dev.deadline.aop;

import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.function.SingletonSupplier;

/**
 * Advises the beans that declare steps, outside of all other advice: time is not given anew to each attempt of a retry,
 * a fallback is not cached, and a transaction is rolled back before the fallback runs. Stops the start-up at the first
 * declaration that cannot work.
 *
 * <p>A post-processor for merged definitions is registered after those that are none, which is what makes its advice the
 * outermost; it also sees the class of every bean before an instance is made.
 */
public final class StepPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements MergedBeanDefinitionPostProcessor {

    private final transient DeclaredSteps declared = new DeclaredSteps();

    private final transient Supplier<StepRegistry> registry;

    private final transient Supplier<StepRunner> runner;

    private transient @Nullable StepPolicies policies;

    /**
     * @param proxyTargetClass whether a bean is proxied by its class although it has interfaces
     * @param registry asked for with the first bean that declares a step
     * @param runner asked for with the first call of a step
     */
    public StepPostProcessor(boolean proxyTargetClass, Supplier<StepRegistry> registry, Supplier<StepRunner> runner) {
        setProxyTargetClass(proxyTargetClass);
        setBeforeExistingAdvisors(true);
        // Before those that hand beans to schedulers and brokers, which would get hold of them without the advice.
        setOrder(LOWEST_PRECEDENCE - 1);
        this.registry = registry;
        this.runner = SingletonSupplier.of(runner);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        StepPolicies known =
                new StepPolicies(this.registry, new EmbeddedValueResolver((ConfigurableBeanFactory) beanFactory));
        this.policies = known;
        this.advisor = new DefaultPointcutAdvisor(
                new StepPointcut(this.declared), new StepInterceptor(this.declared, known, this.runner));
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
        this.declared.of(beanType);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object advised = super.postProcessAfterInitialization(bean, beanName);
        stepsOf(bean).values().forEach(step -> {
            policies().of(step);
            Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
            if (Proxy.isProxyClass(advised.getClass())
                    && !StepMethodCheck.isInInterface(step.method(), target, advised.getClass())) {
                throw new InvalidSetupException(
                        "The method " + Signatures.place(step.method()) + " has @Step, but the proxy of bean '"
                                + beanName
                                + "' has only the methods of its interfaces, so that the annotation has no effect.",
                        "Declare the method in an interface, or have the bean proxied by its class: "
                                + "spring.aop.proxy-target-class, or proxyTargetClass of the @Enable annotation.");
            }
        });
        return advised;
    }

    @Override
    protected void customizeProxyFactory(ProxyFactory proxyFactory) {
        Class<?> type = proxyFactory.getTargetClass();
        if (type != null && proxyFactory.isProxyTargetClass() && StepMethodCheck.isProxiedByInterfaceOnly(type)) {
            proxyFactory.setProxyTargetClass(false);
            evaluateProxyInterfaces(type, proxyFactory);
        }
    }

    /** The steps of a bean; of a proxy, those of the class behind it. */
    Map<?, DeclaredStep> stepsOf(Object bean) {
        return (bean instanceof AopInfrastructureBean)
                ? Map.of()
                : this.declared.of(AopProxyUtils.ultimateTargetClass(bean));
    }

    /** Whether calls of a bean pass through this advice. */
    boolean isAdvised(Object bean) {
        for (Object layer = bean; layer != null; layer = AopProxyUtils.getSingletonTarget(layer)) {
            if (layer instanceof Advised advised && advised.indexOf(this.advisor) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The advice of a step's method that is outside of this one, if calls of the bean pass through this one at all. */
    List<Advisor> outsideOf(DeclaredStep step, Object bean) {
        return OutsideAdvice.of(bean, step.method(), this.advisor);
    }

    private StepPolicies policies() {
        if (this.policies == null) {
            throw new IllegalStateException("There is no bean factory yet");
        }
        return this.policies;
    }
}
