package dev.deadline.aop;

import dev.deadline.engine.InvalidSetupException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;

/** Tells the results that a step can bound from those whose work would go on unseen after the method has returned. */
final class ReturnTypeCheck {

    private static final Set<String> BOUNDED = Set.of(
            CompletionStage.class.getName(),
            CompletableFuture.class.getName(),
            "reactor.core.publisher.Mono",
            "reactor.core.publisher.Flux");

    private static final String REMEDY = "Return a CompletionStage, a Mono or a Flux, or the value itself.";

    private ReturnTypeCheck() {}

    /**
     * @param type what the method returns, with type variables resolved
     * @throws InvalidSetupException if the time of its work cannot be limited
     */
    static void check(Method method, Class<?> type, Class<?> beanType) {
        String place = "The method " + Signatures.place(method) + " has @Step and ";
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation")) {
            throw new InvalidSetupException(
                    place + "is a suspending function, which cannot be bounded.",
                    "Make it a plain function, or return a CompletionStage, a Mono or a Flux.");
        }
        if (type == void.class
                && (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(beanType, Async.class))) {
            throw new InvalidSetupException(
                    place + "@Async and returns nothing, so that nobody could learn how it ended.",
                    "Return a CompletableFuture<Void>, or remove @Step and limit the work inside.");
        }
        String problem = problem(type);
        if (problem != null) {
            throw new InvalidSetupException(place + "returns " + type.getName() + ", " + problem, REMEDY);
        }
    }

    private static @Nullable String problem(Class<?> type) {
        if (BOUNDED.contains(type.getName())) {
            return null;
        }
        if (CompletionStage.class.isAssignableFrom(type)) {
            return "but callers get a stage of the library's own, which is a plain CompletableFuture.";
        }
        if (Future.class.isAssignableFrom(type)) {
            return "which does not tell when it is done.";
        }
        if (Callable.class.isAssignableFrom(type)
                || DeferredResult.class.isAssignableFrom(type)
                || WebAsyncTask.class.isAssignableFrom(type)) {
            return "whose work begins or ends after the method has returned.";
        }
        boolean reactive = Flow.Publisher.class.isAssignableFrom(type)
                || type.getName().equals("org.reactivestreams.Publisher")
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
        return reactive ? "and of the reactive types only Mono and Flux themselves are supported." : null;
    }

    /** Whether what it returns is read by the caller, when the step is over. */
    static boolean isConsumedLater(Class<?> type) {
        return BaseStream.class.isAssignableFrom(type)
                || InputStream.class.isAssignableFrom(type)
                || Reader.class.isAssignableFrom(type);
    }
}
