package dev.deadline.aop;

import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** The methods that are steps, by the same scan that checks them. */
final class StepPointcut extends StaticMethodMatcherPointcut {

    private final DeclaredSteps declared;

    StepPointcut(DeclaredSteps declared) {
        this.declared = declared;
    }

    @Override
    public ClassFilter getClassFilter() {
        return type -> !this.declared.of(type).isEmpty();
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return this.declared.of(method, targetClass) != null;
    }
}
