package dev.deadline.benchmarks;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

/** Proxies the work by its class, as Spring Boot does. */
final class AdvisedGreeter {

    private AdvisedGreeter() {}

    static Greeter by(MethodInterceptor advice) {
        ProxyFactory factory = new ProxyFactory(new Greeter());
        factory.setProxyTargetClass(true);
        factory.addAdvice(advice);
        return (Greeter) factory.getProxy();
    }
}
