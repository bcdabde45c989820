package dev.deadline.http;

import java.net.URI;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.NativeDetector;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * A bounded factory that can be cast to what it bounds, as far as that is Spring's. What an application sets on the
 * factory of a template, it mostly sets after such a cast; it reaches the factory that is bounded.
 */
final class FactoryStandIn implements MethodInterceptor {

    private static final String SPRING = ClientHttpRequestFactory.class.getPackageName();

    private final ClientHttpRequestFactory original;

    private final ClientHttpRequestFactory bounded;

    private FactoryStandIn(ClientHttpRequestFactory original, ClientHttpRequestFactory bounded) {
        this.original = original;
        this.bounded = bounded;
    }

    /** What stands in for a factory; the bounded one itself where nothing else can, as in a native image. */
    static ClientHttpRequestFactory of(ClientHttpRequestFactory original, ClientHttpRequestFactory bounded) {
        Class<?> type = springs(original.getClass());
        if (type == null
                || original instanceof AbstractClientHttpRequestFactoryWrapper
                || NativeDetector.inNativeImage()) {
            return bounded;
        }
        ProxyFactory proxies = new ProxyFactory();
        proxies.setTargetClass(type);
        proxies.setProxyTargetClass(true);
        proxies.addAdvice(new FactoryStandIn(original, bounded));
        return (ClientHttpRequestFactory) proxies.getProxy(type.getClassLoader());
    }

    // Of these it is known that no method is final, and that nobody reads their fields from outside.
    private static @Nullable Class<?> springs(Class<?> type) {
        Class<?> candidate = type;
        while (candidate != null && !candidate.getPackageName().equals(SPRING)) {
            candidate = candidate.getSuperclass();
        }
        return candidate;
    }

    static boolean isOne(ClientHttpRequestFactory factory) {
        return factory instanceof Advised advised
                && advised.getAdvisorCount() == 1
                && advised.getAdvisors()[0].getAdvice() instanceof FactoryStandIn;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (invocation.getMethod().getName().equals("createRequest")) {
            return this.bounded.createRequest((URI) arguments[0], (HttpMethod) arguments[1]);
        }
        return AopUtils.invokeJoinpointUsingReflection(this.original, invocation.getMethod(), arguments);
    }
}
