package dev.deadline.servlet;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Knows the exception handlers that an application has declared for exactly our exceptions. Thread-safe. */
public final class OwnHandlers {

    private final ApplicationContext context;

    private final Map<Class<?>, ExceptionHandlerMethodResolver> resolvers = new ConcurrentHashMap<>();

    // Found with the first refusal, when all of the application is there. A second search finds the same.
    private volatile @Nullable List<ControllerAdviceBean> advice;

    public OwnHandlers(ApplicationContext context) {
        this.context = context;
    }

    /**
     * Whether there is one, in the controller or in an advice that applies to it.
     *
     * @param controller null if the request was handled otherwise
     */
    boolean contain(RuntimeException failure, @Nullable Class<?> controller) {
        Class<?> local = (controller != null) ? ClassUtils.getUserClass(controller) : null;
        if (local != null && handles(local, failure.getClass())) {
            return true;
        }
        for (ControllerAdviceBean bean : advice()) {
            Class<?> type = bean.getBeanType();
            if (type != null && bean.isApplicableToBeanType(local) && handles(type, failure.getClass())) {
                return true;
            }
        }
        return false;
    }

    private List<ControllerAdviceBean> advice() {
        List<ControllerAdviceBean> found = this.advice;
        if (found == null) {
            found = new ArrayList<>(ControllerAdviceBean.findAnnotatedBeans(this.context));
            this.advice = found;
        }
        return found;
    }

    private boolean handles(Class<?> type, Class<? extends RuntimeException> failure) {
        Method method = this.resolvers
                .computeIfAbsent(type, ExceptionHandlerMethodResolver::new)
                .resolveMethodByExceptionType(failure);
        return method != null && names(method, failure);
    }

    // Exactly our type, as opposed to RuntimeException and what is above it.
    private static boolean names(Method method, Class<?> failure) {
        ExceptionHandler declared = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
        Class<?>[] types =
                (declared != null && declared.value().length > 0) ? declared.value() : method.getParameterTypes();
        return List.of(types).contains(failure);
    }
}
