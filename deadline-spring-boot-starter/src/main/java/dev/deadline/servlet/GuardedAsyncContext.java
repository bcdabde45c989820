package dev.deadline.servlet;

import dev.deadline.Deadline.Registration;
import dev.deadline.Outcome;
import dev.deadline.engine.CarriedTask;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous processing that ends with the deadline of its request. Then the request is dispatched back to the
 * container, where the filter refuses it; whoever dispatches or completes it later is ignored. The container's own
 * timeout is no help, as Tomcat looks at it once a second.
 */
final class GuardedAsyncContext implements AsyncContext {

    private final AsyncContext context;

    private final RequestDeadline deadline;

    private final ResponseGuard guard;

    // Decides between the application and the deadline, so that the container hears of exactly one end.
    private final AtomicBoolean ended = new AtomicBoolean();

    private final AtomicBoolean completed = new AtomicBoolean();

    // Written before a look at the end, and read after it has been decided, so that one of the two takes it back.
    private volatile @Nullable Registration watching;

    GuardedAsyncContext(AsyncContext context, RequestDeadline deadline, ResponseGuard guard) {
        this.context = context;
        this.deadline = deadline;
        this.guard = guard;
        context.addListener(new Completion());
    }

    /** Ends it when the time of the request is up, unless it has ended by then. To be called once. */
    void watch() {
        Registration registration = this.deadline.scope().onCancel(reason -> expire());
        this.watching = registration;
        if (this.ended.get()) {
            // It ended in between, and who ended it found nothing to take back.
            registration.close();
        }
    }

    // Runs on a thread that is there for all requests, so it must not wait: neither for a client, nor for the dispatch
    // that sends the answer to it.
    private void expire() {
        // What is not decided now never will be: the reason is fixed before anybody hears of it, and then nothing
        // of the application's is let through.
        if (!this.ended.get() && !this.guard.isCommitted() && this.ended.compareAndSet(false, true)) {
            try {
                this.context.dispatch();
            } catch (IllegalStateException ex) {
                // The container has ended it at the same moment, by its own timeout or because of an error.
            }
        }
    }

    private void end(Runnable end) {
        if (this.ended.compareAndSet(false, true)) {
            Registration registration = this.watching;
            if (registration != null) {
                registration.close();
            }
            end.run();
        }
    }

    @Override
    public void dispatch() {
        end(this.context::dispatch);
    }

    @Override
    public void dispatch(String path) {
        end(() -> this.context.dispatch(path));
    }

    @Override
    public void dispatch(ServletContext application, String path) {
        end(() -> this.context.dispatch(application, path));
    }

    @Override
    public void complete() {
        end(() -> {
            if (this.guard.commit()) {
                this.context.complete();
            } else {
                this.context.dispatch();
            }
        });
    }

    @Override
    public void start(Runnable task) {
        this.context.start(() -> {
            try (CarriedTask carried = CarriedTask.begin(this.deadline.scope())) {
                task.run();
            }
        });
    }

    @Override
    public ServletRequest getRequest() {
        return this.context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return this.context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return this.context.hasOriginalRequestAndResponse();
    }

    @Override
    public void addListener(AsyncListener listener) {
        this.context.addListener(new AsyncListenerUntilComplete(listener, this.completed));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        this.context.addListener(new AsyncListenerUntilComplete(listener, this.completed), request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return this.context.createListener(type);
    }

    @Override
    public void setTimeout(long timeout) {
        this.context.setTimeout(timeout);
    }

    @Override
    public long getTimeout() {
        return this.context.getTimeout();
    }

    /** Finishes the request if it ends without another dispatch. */
    private final class Completion implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            GuardedAsyncContext.this.completed.set(true);
            GuardedAsyncContext.this.guard.close();
            GuardedAsyncContext.this.deadline.finish(Outcome.OK, null);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
