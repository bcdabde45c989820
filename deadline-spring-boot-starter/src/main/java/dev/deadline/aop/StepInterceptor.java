package dev.deadline.aop;

import dev.deadline.engine.StepRunner;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Runs advised methods as steps. */
final class StepInterceptor implements MethodInterceptor {

    private final DeclaredSteps declared;

    private final StepPolicies policies;

    private final Supplier<StepRunner> runner;

    // By class, then method: found without making a key for each call.
    private final Map<Class<?>, Map<Method, AdvisedStep>> steps = new ConcurrentHashMap<>();

    /**
     * @param runner asked for with the first call, so that nothing is created before its time
     */
    StepInterceptor(DeclaredSteps declared, StepPolicies policies, Supplier<StepRunner> runner) {
        this.declared = declared;
        this.policies = policies;
        this.runner = runner;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        Class<?> type = typeOf(invocation);
        Method method = invocation.getMethod();
        Map<Method, AdvisedStep> ofType = this.steps.get(type);
        AdvisedStep step = (ofType != null) ? ofType.get(method) : null;
        return ((step != null) ? step : resolve(type, method)).run(invocation);
    }

    private static Class<?> typeOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        if (target != null) {
            return target.getClass();
        }
        return (invocation instanceof ProxyMethodInvocation proxied)
                ? proxied.getProxy().getClass()
                : invocation.getMethod().getDeclaringClass();
    }

    private AdvisedStep resolve(Class<?> type, Method method) {
        DeclaredStep step = this.declared.of(method, type);
        if (step == null) {
            throw new IllegalStateException(Signatures.place(method) + " is advised, but no step in " + type.getName());
        }
        AdvisedStep advised =
                new AdvisedStep(this.runner.get(), this.policies.of(step), step.returnType(), step.fallback());
        this.steps.computeIfAbsent(type, key -> new ConcurrentHashMap<>()).put(method, advised);
        return advised;
    }
}
