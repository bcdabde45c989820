package dev.deadline.aop;

import dev.deadline.StepFailedException;
import java.lang.invoke.MethodHandles;
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
        Object target = invocation.getThis();
        if (target != null) {
            return AopUtils.invokeJoinpointUsingReflection(innermost(target), this.method, arguments);
        }
        Object proxy = ((ProxyMethodInvocation) invocation).getProxy();
        if (!this.method.isDefault()) {
            return AopUtils.invokeJoinpointUsingReflection(proxy, this.method, arguments);
        }
        // Not through the proxy, whose makers find default methods only in public interfaces.
        Class<?> type = this.method.getDeclaringClass();
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                .unreflectSpecial(this.method, type)
                .bindTo(proxy)
                .invokeWithArguments(arguments);
    }

    // A private method needs the object behind all proxies, as they have no state of their own.
    private static Object innermost(Object target) {
        Object found = target;
        Object inner = AopProxyUtils.getSingletonTarget(found);
        while (inner != null) {
            found = inner;
            inner = AopProxyUtils.getSingletonTarget(found);
        }
        return found;
    }
}
