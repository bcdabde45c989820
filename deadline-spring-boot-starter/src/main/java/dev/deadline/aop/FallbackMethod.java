package dev.deadline.aop;

import dev.deadline.StepFailedException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/**
 * A method of the bean itself, called without its proxy. Where there is no bean behind the proxy, as with HTTP
 * interfaces, it is a method of the interface.
 *
 * @param takesFailure whether its last parameter is the failure
 */
record FallbackMethod(Method method, boolean takesFailure) implements Fallback {

    @Override
    public @Nullable Object answer(MethodInvocation invocation, StepFailedException failure) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (this.takesFailure) {
            arguments = Arrays.copyOf(arguments, arguments.length + 1, Object[].class);
            arguments[arguments.length - 1] = failure;
        }
        return AopUtils.invokeJoinpointUsingReflection(bean(invocation), this.method, arguments);
    }

    private static Object bean(MethodInvocation invocation) {
        Object target = invocation.getThis();
        if (target == null && invocation instanceof ProxyMethodInvocation proxied) {
            return proxied.getProxy();
        }
        // A private method needs the innermost object: proxies have no state of their own.
        for (Object inner = target; inner != null; inner = AopProxyUtils.getSingletonTarget(inner)) {
            target = inner;
        }
        if (target == null) {
            throw new IllegalStateException("A call without a target has no proxy either: " + invocation);
        }
        return target;
    }
}
