package dev.deadline.servlet;

import dev.deadline.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Gives a controller method the deadline of its request; {@link Deadline#none()} if the filter did not see it. */
public final class DeadlineArgumentResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Deadline.class;
    }

    @Override
    public Deadline resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        HttpServletRequest served = request.getNativeRequest(HttpServletRequest.class);
        RequestDeadline known = (served != null) ? RequestDeadline.of(served) : null;
        return (known != null) ? known.deadline() : Deadline.none();
    }
}
