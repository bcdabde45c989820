package dev.deadline.aop;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** Keeps the methods of steps and their fallbacks, which are found by reflection, in native images. */
final class StepHintsProcessor implements BeanRegistrationAotProcessor {

    private final DeclaredSteps declared = new DeclaredSteps();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
        Set<Method> methods = new LinkedHashSet<>();
        for (DeclaredStep step : this.declared.of(registeredBean.getBeanClass()).values()) {
            methods.add(step.method());
            if (step.fallback() instanceof FallbackMethod fallback) {
                methods.add(fallback.method());
            }
        }
        if (methods.isEmpty()) {
            return null;
        }
        return (context, code) -> methods.forEach(
                method -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }
}
