package dev.deadline.aop;

import dev.deadline.Step;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * A method that is a step, as the code says, found to be possible.
 *
 * @param returnType with type variables resolved
 * @param fallback null if the step is closed
 */
record DeclaredStep(
        Method method,
        MergedAnnotation<Step> annotation,
        Class<?> returnType,
        @Nullable Fallback fallback) {}
