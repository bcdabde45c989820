package dev.deadline.aop;

import dev.deadline.Step;
import dev.deadline.engine.InvalidSetupException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** The steps that the classes of beans declare, checked. Each class is looked at once. Thread-safe. */
final class DeclaredSteps {

    private static final Log logger = LogFactory.getLog(DeclaredSteps.class);

    private final Map<Class<?>, Map<Method, DeclaredStep>> byType = new ConcurrentHashMap<>();

    /**
     * The steps of a class by method, each as the class itself has it, not an interface or a bridge.
     *
     * @param beanType of a bean or its proxy; ahead of time perhaps only what a factory method promises
     * @throws InvalidSetupException if one of them cannot work; of a type that has no instances, none is refused
     */
    Map<Method, DeclaredStep> of(Class<?> beanType) {
        Class<?> type = Proxy.isProxyClass(beanType) ? beanType : ClassUtils.getUserClass(beanType);
        Map<Method, DeclaredStep> known = this.byType.get(type);
        return (known != null) ? known : this.byType.computeIfAbsent(type, DeclaredSteps::scan);
    }

    /** The step that a method is, given as an interface or a superclass may have it; null if it is none. */
    @Nullable
    DeclaredStep of(Method method, Class<?> beanType) {
        Map<Method, DeclaredStep> steps = of(beanType);
        if (steps.isEmpty()) {
            return null;
        }
        return steps.get(Proxy.isProxyClass(beanType) ? method : AopUtils.getMostSpecificMethod(method, beanType));
    }

    private static Map<Method, DeclaredStep> scan(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Step.class)) {
            return Map.of();
        }
        Map<Method, MergedAnnotation<Step>> annotated;
        try {
            annotated = MethodIntrospector.selectMethods(
                    type, (MetadataLookup<MergedAnnotation<Step>>) DeclaredSteps::annotationOf);
        } catch (IllegalStateException | LinkageError ex) {
            // A class whose methods name types that are not there: an optional part of somebody else's library.
            logger.debug("Could not look for steps in " + type.getName(), ex);
            return Map.of();
        }
        Map<Method, DeclaredStep> steps = new LinkedHashMap<>();
        annotated.forEach((method, annotation) -> steps.put(method, declared(method, type, annotation)));
        return Map.copyOf(steps);
    }

    // The nearest to the method in the hierarchy of its class, be it direct or through another annotation.
    private static @Nullable MergedAnnotation<Step> annotationOf(Method method) {
        if (!AnnotatedElementUtils.hasAnnotation(method, Step.class)) {
            return null;
        }
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(Step.class)
                .findFirst()
                .orElse(null);
    }

    private static DeclaredStep declared(Method method, Class<?> type, MergedAnnotation<Step> annotation) {
        Class<?> returnType = GenericTypeResolver.resolveReturnType(method, type);
        FallbackFinder fallback = new FallbackFinder(method, type, annotation);
        try {
            StepMethodCheck.check(method, type);
            ReturnTypeCheck.check(method, returnType, type);
            return new DeclaredStep(method, annotation, returnType, fallback.find());
        } catch (InvalidSetupException ex) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                throw ex;
            }
            // The class that implements it may have what is missing; it is looked at when the bean is made.
            return new DeclaredStep(method, annotation, returnType, null);
        }
    }
}
