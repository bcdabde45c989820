package dev.deadline.aop;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.engine.InvalidSetupException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds what answers in place of one step, by the declaration of its method in the class of a bean. */
final class FallbackFinder {

    private static final List<String> FAILURE_PARAMETER = List.of("StepFailedException failure");

    private final Method method;

    private final Class<?> beanType;

    private final MergedAnnotation<Step> annotation;

    private final ResolvableType expected;

    FallbackFinder(Method method, Class<?> beanType, MergedAnnotation<Step> annotation) {
        this.method = method;
        this.beanType = beanType;
        this.annotation = annotation;
        this.expected = ResolvableType.forMethodReturnType(method, beanType);
    }

    /**
     * The fallback; null if the step is closed and has none.
     *
     * @throws InvalidSetupException if it is missing, superfluous, or does not fit the method
     */
    @Nullable
    Fallback find() {
        String name = this.annotation.getString("fallback");
        if (this.annotation.getEnum("onTimeout", OnTimeout.class) == OnTimeout.CLOSED) {
            if (!name.isEmpty()) {
                throw new InvalidSetupException(
                        step() + " is CLOSED and names the fallback '" + name + "', which would never be used.",
                        "Remove the fallback, or make the step OPEN.");
            }
            return null;
        }
        return name.isEmpty() ? emptyValue() : method(name);
    }

    private Fallback emptyValue() {
        Supplier<@Nullable Object> empty = EmptyValues.of(this.expected);
        if (empty == null) {
            String name = this.method.getName() + "Fallback";
            throw new InvalidSetupException(
                    step() + " is OPEN and has no fallback, and its return type has no natural empty value.",
                    "Set fallback = \"" + name + "\" and add a method such as: "
                            + Signatures.declaration(this.method, name, FAILURE_PARAMETER));
        }
        return (invocation, failure) -> empty.get();
    }

    private Fallback method(String name) {
        List<Method> candidates = candidates(name);
        FallbackMethod plain = null;
        for (Method candidate : candidates) {
            boolean takesFailure = candidate.getParameterCount() == this.method.getParameterCount() + 1;
            if (parametersFit(candidate, takesFailure) && resultFits(candidate)) {
                FallbackMethod found = new FallbackMethod(candidate, takesFailure);
                if (takesFailure) {
                    return found;
                }
                plain = found;
            }
        }
        if (plain != null) {
            return plain;
        }
        String problem = candidates.isEmpty()
                ? "there is no such method."
                : "it must have the same parameters and return type as "
                        + Signatures.declaration(this.method) + ", but is "
                        + String.join(
                                " or ",
                                candidates.stream()
                                        .map(Signatures::declaration)
                                        .sorted()
                                        .toList())
                        + ".";
        throw new InvalidSetupException(
                step() + " names the fallback '" + name + "', but " + problem,
                "Declare it as " + Signatures.declaration(this.method, name, List.of()) + ", or as "
                        + Signatures.declaration(this.method, name, FAILURE_PARAMETER) + ".");
    }

    // Those of subclasses come first, without the ones that they override.
    private List<Method> candidates(String name) {
        List<Method> found = new ArrayList<>();
        List<Class<?>> searched = Proxy.isProxyClass(this.beanType)
                ? Arrays.asList(this.beanType.getInterfaces())
                : List.of(this.beanType);
        for (Class<?> type : searched) {
            for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(
                    type,
                    method -> method.getName().equals(name) && ReflectionUtils.USER_DECLARED_METHODS.matches(method))) {
                if (!isStepItself(candidate)) {
                    found.add(candidate);
                }
            }
        }
        return found;
    }

    private boolean isStepItself(Method candidate) {
        return candidate.getName().equals(this.method.getName())
                && candidate.getParameterCount() == this.method.getParameterCount()
                && parametersFit(candidate, false);
    }

    private boolean parametersFit(Method candidate, boolean takesFailure) {
        int count = this.method.getParameterCount();
        if (candidate.getParameterCount() != (takesFailure ? count + 1 : count)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (parameterType(candidate, i) != parameterType(this.method, i)) {
                return false;
            }
        }
        return !takesFailure || candidate.getParameterTypes()[count] == StepFailedException.class;
    }

    private Class<?> parameterType(Method declaring, int index) {
        return ResolvableType.forMethodParameter(declaring, index, this.beanType)
                .toClass();
    }

    private boolean resultFits(Method candidate) {
        ResolvableType actual = ResolvableType.forMethodReturnType(candidate, this.beanType);
        if (!ClassUtils.isAssignable(this.expected.toClass(), actual.toClass())) {
            return false;
        }
        boolean comparable = this.expected.hasGenerics()
                && !this.expected.hasUnresolvableGenerics()
                && !actual.hasUnresolvableGenerics();
        return !comparable || this.expected.isAssignableFrom(actual);
    }

    private String step() {
        return "The step '" + this.annotation.getString("name") + "' at " + Signatures.place(this.method);
    }
}
