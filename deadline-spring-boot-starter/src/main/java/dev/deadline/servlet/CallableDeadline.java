package dev.deadline.servlet;

import dev.deadline.engine.CarriedTask;
import dev.deadline.engine.Scope;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/** Makes the deadline of a request count on the thread that runs a Callable for it. One for each request. */
final class CallableDeadline implements CallableProcessingInterceptor {

    private final Scope scope;

    // Opened and closed by the same thread.
    private @Nullable CarriedTask running;

    CallableDeadline(Scope scope) {
        this.scope = scope;
    }

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        this.running = CarriedTask.begin(this.scope);
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        CarriedTask begun = this.running;
        if (begun != null) {
            this.running = null;
            begun.close();
        }
    }
}
